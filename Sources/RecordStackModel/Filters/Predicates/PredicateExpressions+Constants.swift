import FoundationEssentials

// The results of these operations on captured values are known when the filter is created.

extension PredicateExpressions.SequenceMinimum: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        .constant(PredicateConstant(try translator.collection(elements, "least").min()))
    }
}

extension PredicateExpressions.SequenceMaximum: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        .constant(PredicateConstant(try translator.collection(elements, "greatest").max()))
    }
}

extension PredicateTranslator {
    fileprivate func collection<Elements: PredicateExpression>(
        _ elements: Elements, _ what: String
    ) throws -> Elements.Output {
        if case .constant(let constant) = try term(elements),
            let values = constant.value as? Elements.Output, values is any Collection
        {
            return values
        }
        throw refusal(
            "asks a \(Elements.Output.self) of an object for its \(what) value",
            "Write a closure: of members, it has min { … } and max { … }.")
    }
}

extension PredicateExpressions.CollectionIndexSubscript: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        guard let values: Wrapped.Output = try translator.constant(wrapped),
            let valueIndex: Index.Output = try translator.constant(index),
            values.startIndex <= valueIndex, valueIndex < values.endIndex
        else {
            throw translator.refusal(
                "takes an element of a \(Wrapped.Output.self) by its index",
                "Take it before the predicate is made.")
        }
        return .constant(PredicateConstant(values[valueIndex]))
    }
}

extension PredicateExpressions.DictionaryKeySubscript: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        guard let values: Wrapped.Output = try translator.constant(wrapped),
            let key: Key.Output = try translator.constant(self.key)
        else { throw translator.refusal(looksUpIn: Wrapped.Output.self) }
        return .constant(PredicateConstant(values[key]))
    }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        guard let values: Wrapped.Output = try translator.constant(wrapped),
            let key: Key.Output = try translator.constant(self.key)
        else { throw translator.refusal(looksUpIn: Wrapped.Output.self) }
        return try values[key].map { .constant(PredicateConstant($0)) }
            ?? translator.term(self.default)
    }
}

extension PredicateTranslator {
    fileprivate func constant<Value>(_ expression: any PredicateExpression) throws -> Value? {
        guard case .constant(let constant) = try term(expression) else { return nil }
        return constant.value as? Value
    }

    fileprivate func refusal(looksUpIn type: Any.Type) -> RecordStackError {
        refusal("looks up a value in a \(type)", "Look it up before the predicate is made.")
    }
}
