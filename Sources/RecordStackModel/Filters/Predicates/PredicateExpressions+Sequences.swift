import FoundationEssentials

extension PredicateExpressions.SequenceContains: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        let (term, other) = (try translator.term(sequence), try translator.term(element))
        if let range = try translator.range(term) {
            let value = try translator.value(of: other)
            return .condition(range.contains(value, .values(of: RHS.Output.self)))
        }
        switch term {
        case .constant(let constant):
            guard let values = constant.value as? LHS.Output else { break }
            return .condition(try translator.isAmong(values, other))
        case .value(let value) where LHS.Output.self is any StringProtocol.Type:
            return .condition(
                try value.matching(.contains, translator.value(of: other)))
        case .members:
            throw translator.refusal(
                "asks members for one of them",
                "Ask with contains { $0.objectID == id }, for an ID that was taken before.")
        default: break
        }
        throw translator.refusal(
            "asks a \(LHS.Output.self) of an object what it contains",
            "Collections are stored as JSON; make a relationship of what is to be asked.")
    }
}

extension PredicateTranslator {
    fileprivate func isAmong<Values: Sequence>(
        _ values: Values, _ term: PredicateTerm
    ) throws -> Filter.Node {
        let constants = values.map { PredicateConstant($0) }
        let value = try value(of: term)
        if value.entity != nil {
            let isNull: Filter.Node =
                constants.contains { $0.stored == .null } ? value.isNull : .constant(false)
            return .either(value.refers(to: constants.compactMap(\.objectID)), isNull)
        }
        return value.isAmong(
            try constants.map { constant in
                guard let stored = constant.stored else { throw refusal(constant: constant) }
                return stored
            })
    }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        if case .members(let members) = try translator.term(sequence) {
            let inner = try translator.members(members, variable, test)
            return .condition(inner.quantified(.any))
        }
        return .condition(
            try translator.conditions(sequence, variable, test).reduce(.constant(false)) {
                .either($0, $1)
            })
    }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        if case .members(let members) = try translator.term(sequence) {
            let inner = try translator.members(members, variable, test, isNegated: true)
            return .condition(inner.quantified(.none))
        }
        return .condition(
            try translator.conditions(sequence, variable, test).reduce(.constant(true)) {
                .both($0, $1)
            })
    }
}

extension PredicateExpressions.Filter: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        guard case .members(let members) = try translator.term(sequence) else {
            throw translator.refusal(
                "filters a \(LHS.Output.self)", "Only members of a relationship can be filtered.")
        }
        return .members(try translator.members(members, variable, filter))
    }
}

extension PredicateTranslator {
    /// Returns the members that satisfy a condition.
    fileprivate func members<Output>(
        _ members: PredicateMembers, _ variable: PredicateExpressions.Variable<Output>,
        _ test: any PredicateExpression, isNegated: Bool = false
    ) throws -> PredicateMembers {
        let token = ScopeToken()
        let member = PredicateObject(
            scope: token.scope, steps: [], entity: members.relation.destination)
        let node = try binding(variable, to: .object(member)).condition(test).closing(token)
        return members.adding(isNegated ? node.negated : node)
    }

    /// Returns a condition for each value of a captured sequence.
    fileprivate func conditions<Values: PredicateExpression, Output>(
        _ sequence: Values, _ variable: PredicateExpressions.Variable<Output>,
        _ test: any PredicateExpression
    ) throws -> [Filter.Node] where Values.Output: Sequence, Values.Output.Element == Output {
        guard case .constant(let constant) = try term(sequence),
            let values = constant.value as? Values.Output
        else {
            throw refusal(
                "goes through a \(Values.Output.self) of an object",
                "Collections are stored as JSON; make a relationship of what is to be asked.")
        }
        // A range may have too many values to go through.
        guard let collection = values as? any Collection, collection.count <= Self.mostElements
        else {
            throw refusal(
                "goes through more than 1,000 values",
                "Ask for ranges with contains, and for fewer values at a time.")
        }
        return try values.map {
            try binding(variable, to: .constant(PredicateConstant($0))).condition(test)
        }
    }

    private static var mostElements: Int { 1_000 }
}
