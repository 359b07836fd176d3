import FoundationEssentials

extension PredicateExpressions.OptionalFlatMap: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        switch try translator.term(wrapped) {
        case .object(let object): return try map(object, translator)
        case .constant(let constant):
            guard let value = constant.value as? Wrapped? else { break }
            guard let value else { return .value(.null) }
            return try inner(.constant(PredicateConstant(value)), translator)
        case .value(let value):
            let result = try inner(.value(value), translator)
            return try nulled(result, where: value.isNull, translator) { operand in
                value.cases.count == 1 && operand.isNull(where: value.cases[0].operand)
            }
        // A condition that was cast to its own type.
        case .condition(let node): return try inner(.condition(node), translator)
        case .members, .range: break
        }
        throw translator.refusal("asks of something that it may be nil", "Only values may.")
    }

    private func inner(
        _ term: PredicateTerm, _ translator: PredicateTranslator
    ) throws -> PredicateTerm {
        try translator.binding(variable, to: term).term(transform)
    }

    private func map(
        _ object: PredicateObject, _ translator: PredicateTranslator
    ) throws -> PredicateTerm {
        let result = try inner(.object(object), translator)
        if case .object(let other) = result, object.isOnPath(to: other) { return result }
        return try nulled(
            result, where: object.isMissing, translator, unless: object.decides)
    }

    /// Returns the result, with nil for objects that satisfy `isNull`.
    private func nulled(
        _ result: PredicateTerm, where isNull: FilterNode, _ translator: PredicateTranslator,
        unless decides: (FilterOperand) -> Bool
    ) throws -> PredicateTerm {
        if isNull == .constant(false) { return result }
        let value = try translator.value(of: result)
        if value.isDecided(by: decides) { return .value(value) }
        return .value(value.nulled(where: isNull))
    }
}

extension FilterOperand {
    /// Whether the operand is certainly null if another operand is null.
    fileprivate func isNull(where other: FilterOperand) -> Bool {
        if self == other { return true }
        return switch self {
        case .value(let value): value.isNull
        case .arithmetic(_, let a, let b): a.isNull(where: other) || b.isNull(where: other)
        case .function(_, let a): a.isNull(where: other)
        case .path, .aggregate: false
        }
    }
}

extension PredicateExpressions.NilCoalesce: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        let term = try translator.term(lhs)
        if case .constant(let constant) = term, let value = constant.value as? RHS.Output? {
            if let value { return .constant(PredicateConstant(value)) }
            return try translator.term(rhs)
        }
        let (value, other) = (try translator.value(of: term), try translator.value(rhs))
        let cases = value.cases.flatMap { one -> [PredicateValue.Case] in
            let single = PredicateValue(one.operand)
            let isNull = FilterNode.both(one.guardNode, single.isNull)
            let isThere = FilterNode.both(one.guardNode, single.isNull.negated)
            return single.cases(where: isThere) + other.cases(where: isNull)
        }
        return .value(
            try translator.checked(
                PredicateValue(cases: cases, entity: value.entity ?? other.entity)))
    }
}

extension PredicateExpressions.ForcedUnwrap: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        let term = try translator.term(inner)
        guard case .constant(let constant) = term, let value = constant.value as? Wrapped? else {
            return term
        }
        guard let value else {
            throw translator.refusal("unwraps a value that is nil", "Ask with ?? or flatMap.")
        }
        return .constant(PredicateConstant(value))
    }
}
