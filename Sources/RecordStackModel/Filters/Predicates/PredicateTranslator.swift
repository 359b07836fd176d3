import FoundationEssentials

/// Translates a predicate into a filter, and knows the meaning of each variable.
struct PredicateTranslator {
    /// The entity that the predicate is about, for messages.
    let entity: EntityDescription
    private var variables: [PredicateExpressions.VariableID: PredicateTerm] = [:]
    /// The number of expressions around the current expression.
    private var depth = 0

    /// The maximum number of nested expressions.
    ///
    /// A decoded predicate may be nested to any depth.
    /// Each level takes space on the thread's stack.
    private static let mostDepth = 200

    init(entity: EntityDescription) {
        self.entity = entity
    }

    /// Returns a translator for the body of a closure whose parameter means `term`.
    func binding<Output>(
        _ variable: PredicateExpressions.Variable<Output>, to term: PredicateTerm
    ) -> Self {
        var copy = self
        copy.variables[variable.key] = term
        return copy
    }

    func term(of variable: PredicateExpressions.VariableID) throws -> PredicateTerm {
        guard let term = variables[variable] else {
            throw refusal("uses the variable of another predicate", "Use the closure's own one.")
        }
        return term
    }

    func term(_ expression: any PredicateExpression) throws -> PredicateTerm {
        guard let known = expression as? any TranslatablePredicateExpression else {
            throw unknown(type(of: expression))
        }
        if depth == Self.mostDepth { throw RecordStackError(.misuse, FilterLevels.message) }
        var inner = self
        inner.depth += 1
        return try known.term(in: inner)
    }

    func condition(_ expression: any PredicateExpression) throws -> Filter.Node {
        switch try term(expression) {
        case .condition(let node): return node
        case .value(let value) where value.entity == nil: return value.truth
        case .constant(let constant):
            if let stored = constant.stored { return .constant(stored == .integer(1)) }
            throw refusal(constant: constant)
        case let other: throw refusal(noValue: other)
        }
    }

    func value(_ expression: any PredicateExpression) throws -> PredicateValue {
        try value(of: term(expression))
    }

    func value(of term: PredicateTerm) throws -> PredicateValue {
        switch term {
        case .value(let value): return value
        case .condition(let node): return PredicateValue(node)
        case .constant(let constant):
            guard let stored = constant.stored else { throw refusal(constant: constant) }
            return PredicateValue(.value(stored))
        case .object, .members, .range: throw refusal(noValue: term)
        }
    }

    /// Returns the value of an expression, and throws if it is the ID of an object.
    func plainValue(_ expression: any PredicateExpression) throws -> PredicateValue {
        let value = try value(expression)
        if value.entity != nil {
            throw refusal("uses an ID as a value", "An ID can be compared with == and !=.")
        }
        return value
    }
}

// PredicateExpressions has its own Filter, which hides ours in its extensions.
typealias FilterNode = Filter.Node
typealias FilterComparison = Filter.Comparison

/// An expression that can be translated into a part of a filter.
protocol TranslatablePredicateExpression: PredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm
}
