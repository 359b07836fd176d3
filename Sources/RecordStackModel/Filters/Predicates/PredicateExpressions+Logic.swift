import FoundationEssentials

extension PredicateExpressions.Conjunction: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        .condition(.both(try translator.condition(lhs), try translator.condition(rhs)))
    }
}

extension PredicateExpressions.Disjunction: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        .condition(.either(try translator.condition(lhs), try translator.condition(rhs)))
    }
}

extension PredicateExpressions.Negation: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        .condition(try translator.condition(wrapped).negated)
    }
}

extension PredicateExpressions.Conditional: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        let test = try translator.condition(test)
        if If.Output.self == Bool.self {
            return .condition(
                .either(
                    .both(test, try translator.condition(trueBranch)),
                    .both(test.negated, try translator.condition(falseBranch))))
        }
        let (a, b) = (try translator.value(trueBranch), try translator.value(falseBranch))
        return .value(
            try translator.checked(
                PredicateValue(
                    cases: a.cases(where: test) + b.cases(where: test.negated),
                    entity: a.entity ?? b.entity)))
    }
}

extension PredicateTranslator {
    /// Returns the value, or throws if it has too many cases.
    func checked(_ value: PredicateValue) throws -> PredicateValue {
        try check(value.cases.count)
        return value
    }

    func check(_ caseCount: Int) throws {
        if caseCount <= PredicateValue.mostCases { return }
        throw refusal(
            "has a value of more than \(PredicateValue.mostCases) cases",
            "Ask with fewer conditions inside of one another, or with ||.")
    }
}
