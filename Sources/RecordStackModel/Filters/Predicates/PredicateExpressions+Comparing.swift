import FoundationEssentials

extension PredicateExpressions.Equal: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        .condition(try translator.equal(lhs, rhs, .equal))
    }
}

extension PredicateExpressions.NotEqual: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        .condition(try translator.equal(lhs, rhs, .notEqual))
    }
}

extension PredicateExpressions.Comparison: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        let (a, b) = (try translator.plainValue(lhs), try translator.plainValue(rhs))
        return .condition(a.comparing(comparison, b, .values(of: LHS.Output.self)))
    }

    private var comparison: FilterComparison {
        switch op {
        case .lessThan: .less
        case .lessThanOrEqual: .lessOrEqual
        case .greaterThan: .greater
        // Foundation's enum is frozen only on some platforms. It has these four cases.
        default: .greaterOrEqual
        }
    }
}

extension Collation {
    /// Returns the collation for values of a type.
    static func values(of type: Any.Type) -> Collation {
        (type as? any AttributeValue.Type)?.attributeType.collation ?? .binary
    }
}

extension PredicateTranslator {
    fileprivate func equal<LHS: PredicateExpression, RHS: PredicateExpression>(
        _ lhs: LHS, _ rhs: RHS, _ comparison: Filter.Comparison
    ) throws -> Filter.Node {
        let (a, b) = (try term(lhs), try term(rhs))
        if let id = b.objectID { return try equal(a, id, comparison) }
        if let id = a.objectID { return try equal(b, id, comparison) }
        let (mine, theirs) = (try value(of: a), try value(of: b))
        guard let one = mine.entity, let other = theirs.entity, !one.root.isSame(as: other.root)
        else { return mine.comparing(comparison, theirs, .values(of: LHS.Output.self)) }
        // IDs of different tables are never equal, although their keys may be.
        let isEqual = Filter.Node.both(mine.isNull, theirs.isNull)
        return comparison == .equal ? isEqual : isEqual.negated
    }

    private func equal(
        _ term: PredicateTerm, _ id: ManagedObjectID, _ comparison: Filter.Comparison
    ) throws -> Filter.Node {
        let isEqual: Filter.Node
        if let other = term.objectID {
            isEqual = .constant(other == id)
        } else {
            isEqual = try value(of: term).refers(to: [id])
        }
        return comparison == .equal ? isEqual : isEqual.negated
    }
}

extension PredicateTerm {
    var objectID: ManagedObjectID? {
        if case .constant(let constant) = self { constant.objectID } else { nil }
    }
}

extension PredicateValue {
    /// Returns the condition that the value is the key of one of the objects.
    func refers(to ids: [ManagedObjectID]) -> Filter.Node {
        condition { operand in
            guard case .path(let path) = operand, let entity else { return .constant(false) }
            return .referring(to: ids, at: path, entity)
        }
    }
}
