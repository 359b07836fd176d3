import FoundationEssentials

extension PredicateExpressions.ConditionalCast: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        try translator.cast(input, to: Desired.self)
    }
}

extension PredicateExpressions.ForceCast: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        try translator.cast(input, to: Desired.self)
    }
}

extension PredicateExpressions.TypeCheck: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        _ = try translator.cast(input, to: Desired.self)
        return .condition(.constant(true))
    }
}

extension PredicateTranslator {
    /// Casts to the same type, or to an entity from which the object's entity inherits.
    ///
    /// Any other cast depends on the kind of the row, which filters do not read.
    fileprivate func cast<Input: PredicateExpression>(
        _ input: Input, to type: Any.Type
    ) throws -> PredicateTerm {
        let term = try term(input)
        if Input.Output.self == type { return term }
        if case .object(let object) = term, Input.Output.self is any ManagedEntity.Type,
            let wanted = (type as? any ManagedEntity.Type)?.entityDescription,
            object.entity.isKind(of: wanted)
        {
            return .object(
                PredicateObject(scope: object.scope, steps: object.steps, entity: wanted))
        }
        throw refusal(
            "asks whether a \(Input.Output.self) is a \(type)",
            type is any ManagedEntity.Type
                ? "Ask for objects of the subentity: \(type).where(…)."
                : "Ask for the value itself.")
    }
}
