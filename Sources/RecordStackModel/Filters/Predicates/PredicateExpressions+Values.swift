import FoundationEssentials

extension PredicateExpressions.Variable: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        try translator.term(of: key)
    }
}

extension PredicateExpressions.Value: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        .constant(PredicateConstant(value))
    }
}

extension PredicateExpressions.NilLiteral: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm { .value(.null) }
}
