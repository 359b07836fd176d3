/// Writes a filter as a format string that parses to the same filter.
struct FormatPrinter {
    /// The entity that the filter is about; nil if it is unknown.
    let root: EntityDescription?
    /// The entities of the members in the enclosing conditions, outermost first.
    var members: [EntityDescription] = []
    /// The text for the innermost member, if that member has no variable.
    var memberText: String?

    /// The reason why a filter has no format string.
    struct Failure: Error {
        let message: String
    }

    init(_ root: EntityDescription?) {
        self.root = root
    }

    func inside(_ relation: FilterRelation) -> FormatPrinter {
        var copy = self
        copy.members.append(relation.destination)
        copy.memberText = nil
        return copy
    }

    // MARK: Conditions

    /// The operator around a condition, which decides whether the condition needs parentheses.
    enum Enclosing {
        case free, or, and, not
    }

    func text(_ node: Filter.Node, in outer: Enclosing = .free) throws -> String {
        switch node {
        case .constant(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .or(let terms): return try chain(terms, " OR ", .or, in: outer)
        case .and(let terms): return try chain(terms, " AND ", .and, in: outer)
        case .not(let inner): return try negated(inner)
        case .isNull(let operand): return try self.operand(operand) + " == NULL"
        case .compare(let a, let comparison, let b, let options):
            return try compared(a, comparison, b, options)
        case .text(let a, let match, let b, let options):
            return try self.operand(a, beside: .string)
                + " \(match.rawValue)\(options.formatText) "
                + self.operand(b, beside: .string)
        case .among(let operand, let values, let options):
            let type = try type(of: operand)
            let list = values.values.map { FormatValueText.text($0, beside: type) }
            return try self.operand(operand)
                + " IN\(options.formatText) {\(list.joined(separator: ", "))}"
        case .refers(let path, let ids): return try refers(path, ids, "==")
        case .quantified(let quantifier, let relation, let inner):
            return try quantified(quantifier, relation, inner)
        case .kept: throw Failure(message: "A set of keys has no format string.")
        // Parentheses, because the outermost operator of the text is unknown.
        case .format(let format): return "(\(format.format))"
        case .invalid(let message): throw Failure(message: message)
        }
    }

    private func chain(
        _ chain: FilterChain, _ joiner: String, _ own: Enclosing, in outer: Enclosing
    ) throws -> String {
        var terms: [String] = []
        try chain.forEach { terms.append(try text($0, in: own)) }
        let row = terms.joined(separator: joiner)
        let isFree = outer == .free || (own == .and && outer == .or)
        return isFree ? row : "(\(row))"
    }

    private func negated(_ inner: Filter.Node) throws -> String {
        switch inner {
        case .isNull(let operand): return try self.operand(operand) + " != NULL"
        case .refers(let path, let ids) where ids.count == 1: return try refers(path, ids, "!=")
        default: return "NOT " + (try text(inner, in: .not))
        }
    }

    private func refers(
        _ path: FilterPath, _ ids: [ManagedObjectID], _ sign: String
    ) throws -> String {
        let texts = ids.map { FormatName.quoted($0.description) }
        let object = try operand(.path(path))
        return ids.count == 1
            ? "\(object) \(sign) \(texts[0])" : "\(object) IN {\(texts.joined(separator: ", "))}"
    }

    private func compared(
        _ a: FilterOperand, _ comparison: Filter.Comparison, _ b: FilterOperand,
        _ options: TextOptions
    ) throws -> String {
        // The parser moves a constant on the left side to the right side.
        if a.isValue { return try compared(b, a, comparison.mirrored, options) }
        return try compared(a, b, comparison, options)
    }

    private func compared(
        _ a: FilterOperand, _ b: FilterOperand, _ comparison: Filter.Comparison,
        _ options: TextOptions
    ) throws -> String {
        let known = (try type(of: a), try type(of: b))
        let first = try known.0.flatMap { _ in try type(of: a, wanted: known.1) }
        let second = try known.1.flatMap { _ in try type(of: b, wanted: known.0) }
        return try operand(a, beside: second) + " \(comparison.rawValue)\(options.formatText) "
            + operand(b, beside: first)
    }
}

extension FilterOperand {
    var isValue: Bool { if case .value = self { true } else { false } }
}

extension TextOptions {
    /// The options in brackets, as they follow an operator; empty without options.
    var formatText: String {
        let letters =
            (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
        return letters.isEmpty ? "" : "[\(letters)]"
    }
}
