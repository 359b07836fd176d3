import FoundationEssentials

extension PredicateExpressions.CollectionContainsCollection: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        .condition(try translator.text(base, .contains, other))
    }
}

extension PredicateExpressions.SequenceStartsWith: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        .condition(try translator.text(base, .hasPrefix, prefix))
    }
}

extension PredicateExpressions.StringContainsRegex: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        guard case .constant(let constant) = try translator.term(regex),
            let regex = constant.value as? PredicateExpressions.PredicateRegex
        else { throw translator.refusal("uses a regular expression", "Write it as a literal.") }
        // A filter's pattern matches the whole text, but this pattern matches a part of it.
        let pattern = "(?s:.*?)(?:\(regex.stringRepresentation))(?s:.*)"
        return .condition(
            try translator.plainValue(subject).matching(
                .matches, PredicateValue(.value(.text(pattern)))))
    }
}

extension PredicateTranslator {
    fileprivate func text<Base: PredicateExpression, Other: PredicateExpression>(
        _ base: Base, _ match: Filter.TextMatch, _ other: Other
    ) throws -> Filter.Node {
        for type: Any.Type in [Base.Output.self, Other.Output.self]
        where !(type is any StringProtocol.Type) {
            throw refusal(
                "looks for a part of a \(type)", "Only parts of a String can be looked for.")
        }
        return try plainValue(base).matching(match, plainValue(other))
    }
}

extension PredicateValue {
    func matching(_ match: Filter.TextMatch, _ other: PredicateValue) throws -> Filter.Node {
        try condition(with: other) { text, pattern in
            switch (text, pattern) {
            case (.value(.null), _), (_, .value(.null)): return .constant(false)
            case (.value(.text(let text)), .value(.text(let pattern))):
                return .constant(try TextMatcher(match, pattern, []).holds(text))
            default: return .text(text, match, pattern, [])
            }
        }
    }
}
