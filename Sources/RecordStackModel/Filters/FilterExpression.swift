/// A value in a filter: an attribute, or what arithmetic, functions and to-many relationships make of
/// attributes. The comparison operators compare it.
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

    /// A value that is the same for all objects, to stand where an expression is asked for.
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
    /// Values that are one of some; nil where nil is among those.
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
    /// Values from a lower to an upper bound, both included.
    public func isBetween(_ range: ClosedRange<Value>) -> Filter {
        self >= range.lowerBound && self <= range.upperBound
    }

    /// Values from a lower bound to below an upper one.
    public func isBetween(_ range: Range<Value>) -> Filter {
        self >= range.lowerBound && self < range.upperBound
    }
}

extension FilterExpression {
    /// Values from a lower to an upper bound, both included; nil is none of them.
    public func isBetween<Wrapped: AttributeValue & Comparable>(
        _ range: ClosedRange<Wrapped>
    ) -> Filter where Value == Wrapped? {
        self >= range.lowerBound && self <= range.upperBound
    }

    /// Values from a lower bound to below an upper one; nil is none of them.
    public func isBetween<Wrapped: AttributeValue & Comparable>(
        _ range: Range<Wrapped>
    ) -> Filter where Value == Wrapped? {
        self >= range.lowerBound && self < range.upperBound
    }
}
