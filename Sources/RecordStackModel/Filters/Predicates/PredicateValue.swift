/// A value of which a predicate says, maybe, that it is one under a condition and another under another.
///
/// Filters have no such values: what is asked of them is asked of each.
struct PredicateValue {
    struct Case {
        /// True for just one of the cases, whatever the object.
        let guardNode: Filter.Node
        let operand: FilterOperand
    }

    let cases: [Case]
    /// The entity of the objects whose keys the values are; nil for other values.
    let entity: EntityDescription?

    /// Two of so many cases each, compared, are a filter of some thousand terms.
    static var mostCases: Int { 32 }

    init(_ operand: FilterOperand, entity: EntityDescription? = nil) {
        cases = [Case(guardNode: .constant(true), operand: operand)]
        self.entity = entity
    }

    init(cases: [Case], entity: EntityDescription? = nil) {
        self.cases = cases.filter { $0.guardNode != .constant(false) }
        self.entity = entity
    }

    /// Whether a condition is true, as a value.
    init(_ node: Filter.Node) {
        self.init(cases: [
            Case(guardNode: node, operand: .value(.integer(1))),
            Case(guardNode: node.negated, operand: .value(.integer(0))),
        ])
    }

    static var null: PredicateValue { PredicateValue(.value(.null)) }

    /// Whether the value is true.
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

    /// What holds for the value of the case that the object has.
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

    /// The same where a condition is true.
    func cases(where node: Filter.Node) -> [Case] {
        cases.map { Case(guardNode: .both(node, $0.guardNode), operand: $0.operand) }
    }

    /// Nil where a condition is true.
    func nulled(where node: Filter.Node) -> PredicateValue {
        let null = Case(guardNode: node, operand: .value(.null))
        return PredicateValue(cases: [null] + cases(where: node.negated), entity: entity)
    }

    /// Whether the value is null for certain where some others are.
    func isDecided(by isNull: (FilterOperand) -> Bool) -> Bool {
        cases.allSatisfy { $0.guardNode == .constant(true) && isNull($0.operand) }
    }
}

extension PredicateValue {
    /// - Parameter collation: how values of the type are ordered.
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

    /// Whether the value is one of some; null where null is one.
    func isAmong(_ values: [StoredValue]) -> Filter.Node {
        let known = values.filter { !$0.isNull }
        return condition { operand in
            if case .value(let value) = operand { return .constant(values.contains(value)) }
            let among: Filter.Node = known.isEmpty ? .constant(false) : .among(operand, known)
            return known.count == values.count ? among : .either(among, .isNull(operand))
        }
    }
}
