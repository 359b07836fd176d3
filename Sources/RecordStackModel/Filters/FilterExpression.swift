/// A value in a filter, for conditions and calculations.
///
/// The value is an attribute, or the result of a calculation, of a function, or of an aggregate
/// over the members of a to-many relationship.
///
/// ```swift
/// Person.where { $0.age >= 18 && $0.name.lowercased() == "ann" }
/// Order.where { $0.price * $0.amount > 1_000 }
/// ```
public struct FilterExpression<Value: AttributeValue>: Sendable {
    package let operand: FilterOperand?
    package let problem: String

    package init(_ operand: FilterOperand) {
        let isTooDeep = operand.levels >= FilterLevels.most
        self.operand = isTooDeep ? nil : operand
        problem = isTooDeep ? FilterLevels.message : ""
    }

    package init(problem: String) {
        operand = nil
        self.problem = problem
    }

    /// Creates an expression from a value that is the same for all objects.
    ///
    /// Use it where the compiler requires an expression, such as on the left side of a calculation.
    public init(_ value: Value) {
        self.init(.value(value.storedValue))
    }

    package func filter(_ make: (FilterOperand) -> Filter.Node) -> Filter {
        Filter(operand.map(make) ?? .invalid(problem))
    }

    func map<Result>(_ make: (FilterOperand) -> FilterOperand) -> FilterExpression<Result> {
        operand.map { FilterExpression<Result>(make($0)) }
            ?? FilterExpression<Result>(problem: problem)
    }

    func combined<Other, Result>(
        _ operation: FilterArithmetic, _ other: FilterExpression<Other>
    ) -> FilterExpression<Result> {
        guard let operand else { return FilterExpression<Result>(problem: problem) }
        guard let second = other.operand else {
            return FilterExpression<Result>(problem: other.problem)
        }
        return FilterExpression<Result>(.arithmetic(operation, operand, second))
    }

    package func comparison<Other>(
        _ comparison: Filter.Comparison, _ other: FilterExpression<Other>,
        _ options: TextOptions = []
    ) -> Filter {
        guard let second = other.operand else { return Filter(.invalid(other.problem)) }
        return filter { .comparing($0, comparison, second, options) }
    }

    package func comparison(
        _ comparison: Filter.Comparison, _ value: StoredValue, _ options: TextOptions = []
    ) -> Filter {
        filter { .comparing($0, comparison, .value(value), options) }
    }
}

extension FilterExpression {
    /// Matches values in a list, including nil if the list contains nil.
    ///
    /// ```swift
    /// Person.where { $0.age.isIn([18, 21]) || $0.city.isIn(cities) }
    /// ```
    public func isIn(_ values: some Sequence<Value>) -> Filter {
        let stored = values.map(\.storedValue)
        let known = stored.filter { !$0.isNull }
        return filter { operand in
            let among: Filter.Node = known.isEmpty ? .constant(false) : .among(operand, known)
            return known.count == stored.count ? among : .or(among, .isNull(operand))
        }
    }
}

extension FilterExpression where Value: Comparable {
    /// Matches values in the range, including both bounds.
    public func isBetween(_ range: ClosedRange<Value>) -> Filter {
        self >= range.lowerBound && self <= range.upperBound
    }

    /// Matches values in the range, excluding the upper bound.
    public func isBetween(_ range: Range<Value>) -> Filter {
        self >= range.lowerBound && self < range.upperBound
    }
}

extension FilterExpression {
    /// Matches non-nil values in the range, including both bounds.
    public func isBetween<Wrapped: AttributeValue & Comparable>(
        _ range: ClosedRange<Wrapped>
    ) -> Filter where Value == Wrapped? {
        self >= range.lowerBound && self <= range.upperBound
    }

    /// Matches non-nil values in the range, excluding the upper bound.
    public func isBetween<Wrapped: AttributeValue & Comparable>(
        _ range: Range<Wrapped>
    ) -> Filter where Value == Wrapped? {
        self >= range.lowerBound && self < range.upperBound
    }
}
