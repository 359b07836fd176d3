import FoundationEssentials

extension PredicateExpressions.Range: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        .range(
            PredicateRange(
                lower: try translator.plainValue(lower), upper: try translator.plainValue(upper),
                isClosed: false))
    }
}

extension PredicateExpressions.ClosedRange: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        .range(
            PredicateRange(
                lower: try translator.plainValue(lower), upper: try translator.plainValue(upper),
                isClosed: true))
    }
}

extension PredicateExpressions.RangeExpressionContains: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        guard let range = try translator.range(translator.term(range)) else {
            throw translator.refusal(
                "asks a \(RangeExpression.Output.self)", "Ask with >= and <=.")
        }
        return .condition(
            range.contains(
                try translator.plainValue(element), .values(of: Element.Output.self)))
    }
}

extension PredicateTranslator {
    /// Returns a range that is written in the predicate or captured by it; nil for any other term.
    func range(_ term: PredicateTerm) throws -> PredicateRange? {
        switch term {
        case .range(let range): range
        case .constant(let constant): (constant.value as? any RangeConstant)?.predicateRange
        default: nil
        }
    }
}
