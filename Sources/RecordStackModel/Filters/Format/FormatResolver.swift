/// Resolves the terms of a format string for an entity, and builds the filter from them.
struct FormatResolver {
    let source: [Unicode.Scalar]
    let variables: [String: FormatLiteral]

    // MARK: Conditions

    func condition(_ term: FormatTerm, _ scope: FormatScope) throws -> Filter.Node {
        switch term.kind {
        case .constant(let value): return .constant(value)
        case .not(let inner): return try condition(inner, scope).inverted
        case .all(let terms): return .allOf(try conditions(terms, scope))
        case .any(let terms): return .anyOf(try conditions(terms, scope))
        case .comparison(let left, let comparison, let right):
            return try self.comparison(left, comparison, right, scope)
        case .quantified(let quantifier, let inner):
            return try quantified(quantifier, inner, scope)
        default: throw noCondition(term, try resolve(term, scope))
        }
    }

    private func conditions(
        _ terms: [FormatTerm], _ scope: FormatScope
    ) throws -> [Filter.Node] { try terms.map { try condition($0, scope) } }

    private func noCondition(_ term: FormatTerm, _ result: FormatResult) -> FormatProblem {
        let text = text(of: term)
        let advice =
            switch result {
            case .value(let value):
                if case .bool = value.type { " Write \(text) == TRUE." } else { "" }
            case .literal(.bool(let value)):
                " Write \(value ? "TRUEPREDICATE" : "FALSEPREDICATE")."
            default: ""
            }
        return problem(
            "A condition was expected here, and \(text) is \(result.typeName).\(advice)", term)
    }

    // MARK: Values

    func resolve(_ term: FormatTerm, _ scope: FormatScope) throws -> FormatResult {
        switch term.kind {
        case .literal(let literal): return .literal(literal)
        case .list(let terms): return .list(try terms.map { (try resolve($0, scope), $0) })
        case .path(let base, let steps): return try path(base, steps, term, scope)
        case .negative(let inner):
            return try calculated(.literal(.number(.integer(0))), .subtract, inner, term, scope)
        case .arithmetic(let first, let steps):
            var result = try resolve(first, scope)
            for (operation, next) in steps {
                result = try calculated(result, operation, next, term, scope)
            }
            return result
        case .call(let name, let terms): return try call(name, terms, term, scope)
        case .cast(let inner, let type): return try cast(inner, to: type, term, scope)
        case .constant, .not, .all, .any, .comparison, .quantified:
            return .condition(try condition(term, scope))
        }
    }

    // MARK: Messages

    func problem(_ message: String, _ term: FormatTerm) -> FormatProblem {
        FormatProblem(message, at: term.range.lowerBound)
    }

    /// Returns the term as it was written, in the length that a message has room for.
    func text(of term: FormatTerm) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: source[term.range.prefix(60)])
        return String(view) + (term.range.count > 60 ? "…" : "")
    }
}
