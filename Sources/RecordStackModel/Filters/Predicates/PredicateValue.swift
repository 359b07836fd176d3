/// A value of a predicate, which can have several cases with a condition for each.
///
/// Filters have no such values. An operation on the value is therefore applied to each case.
struct PredicateValue {
    struct Case {
        /// The condition of the case; for any object, exactly one case has a true condition.
        let guardNode: Filter.Node
        let operand: FilterOperand
    }

    let cases: [Case]
    /// The entity whose row keys the values are; nil for other values.
    let entity: EntityDescription?

    /// The maximum number of cases.
    ///
    /// Comparing two values of 32 cases each gives 1,024 pairs of cases.
    static var mostCases: Int { 32 }

    init(_ operand: FilterOperand, entity: EntityDescription? = nil) {
        cases = [Case(guardNode: .constant(true), operand: operand)]
        self.entity = entity
    }

    init(cases: [Case], entity: EntityDescription? = nil) {
        self.cases = cases.filter { $0.guardNode != .constant(false) }
        self.entity = entity
    }

    /// Creates a value that is 1 if a condition is true, and 0 otherwise.
    init(_ node: Filter.Node) {
        self.init(cases: [
            Case(guardNode: node, operand: .value(.integer(1))),
            Case(guardNode: node.negated, operand: .value(.integer(0))),
        ])
    }

    static var null: PredicateValue { PredicateValue(.value(.null)) }

    /// The condition that the value is true.
    var truth: Filter.Node { comparing(.equal, PredicateValue(.value(.integer(1))), .binary) }

    var isNull: Filter.Node {
        condition { operand in
            if case .value(let value) = operand {
                .constant(value.isNull)
            } else {
                .isNull(operand)
            }
        }
    }

    /// Returns the condition that `make` gives for the case that applies to the object.
    func condition(_ make: (FilterOperand) throws -> Filter.Node) rethrows -> Filter.Node {
        var result = Filter.Node.constant(false)
        for one in cases {
            result = .either(result, .both(one.guardNode, try make(one.operand)))
        }
        return result
    }

    func condition(
        with other: PredicateValue, _ make: (FilterOperand, FilterOperand) throws -> Filter.Node
    ) rethrows -> Filter.Node {
        try condition { mine in try other.condition { try make(mine, $0) } }
    }

    func map(_ make: (FilterOperand) -> FilterOperand) -> PredicateValue {
        PredicateValue(
            cases: cases.map { Case(guardNode: $0.guardNode, operand: make($0.operand)) },
            entity: entity)
    }

    /// Returns the cases for objects that satisfy a condition.
    func cases(where node: Filter.Node) -> [Case] {
        cases.map { Case(guardNode: .both(node, $0.guardNode), operand: $0.operand) }
    }

    /// Returns the value, with nil for objects that satisfy a condition.
    func nulled(where node: Filter.Node) -> PredicateValue {
        let null = Case(guardNode: node, operand: .value(.null))
        return PredicateValue(cases: [null] + cases(where: node.negated), entity: entity)
    }

    /// Whether the value has a single case without a condition, for which `isNull` is true.
    func isDecided(by isNull: (FilterOperand) -> Bool) -> Bool {
        cases.allSatisfy { $0.guardNode == .constant(true) && isNull($0.operand) }
    }
}

extension PredicateValue {
    /// Returns the comparison of two values.
    ///
    /// - Parameter collation: the order of the type's values.
    func comparing(
        _ comparison: Filter.Comparison, _ other: PredicateValue, _ collation: Collation
    ) -> Filter.Node {
        condition(with: other) { mine, theirs in
            guard case .value(let a) = mine, case .value(let b) = theirs else {
                return .comparing(mine, comparison, theirs)
            }
            if a.isNull || b.isNull {
                let isSame = a.isNull && b.isNull
                return .constant(
                    comparison == .equal ? isSame : comparison == .notEqual && !isSame)
            }
            return .constant(comparison.holds(a.compare(to: b, collation)))
        }
    }

    /// Returns the condition that the value is in a list, which may contain null.
    func isAmong(_ values: [StoredValue]) -> Filter.Node {
        let known = values.filter { !$0.isNull }
        return condition { operand in
            if case .value(let value) = operand { return .constant(values.contains(value)) }
            let among: Filter.Node = known.isEmpty ? .constant(false) : .among(operand, known)
            return known.count == values.count ? among : .either(among, .isNull(operand))
        }
    }
}
