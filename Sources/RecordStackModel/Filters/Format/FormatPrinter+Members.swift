// Conditions on members, and aggregates over members.
extension FormatPrinter {
    func quantified(
        _ quantifier: Filter.Quantifier, _ relation: FilterRelation, _ node: Filter.Node
    ) throws -> String {
        let name = try text(of: relation)
        if node == .constant(true) { return "\(quantifier.formatWord) \(name)" }
        if quantifier == .none, case .not(let inner) = node,
            let short = try short("ALL", relation, inner)
        {
            return short
        }
        if let short = try short(quantifier.formatWord, relation, node) { return short }
        return "\(quantifier.formatWord) \(try subquery(relation, node))"
    }

    /// Returns a short form such as `ANY members.age > 3`; nil if there is no short form.
    ///
    /// The condition must be one comparison of a property of the member with something else.
    private func short(
        _ word: String, _ relation: FilterRelation, _ node: Filter.Node
    ) throws -> String? {
        let path: FilterPath
        switch node {
        case .compare(.path(let own), _, let other, _), .text(.path(let own), _, let other, _):
            if other.mentionsMember { return nil }
            path = own
        case .among(.path(let own), _, _), .isNull(.path(let own)), .refers(let own, _),
            .not(.isNull(.path(let own))):
            path = own
        case .not(.refers(let own, let ids)) where ids.count == 1: path = own
        default: return nil
        }
        guard path.scope == .member(0) else { return nil }
        var inner = inside(relation)
        inner.memberText = try text(of: relation)
        return "\(word) \(try inner.text(node))"
    }

    /// Returns a SUBQUERY that declares a variable for the members.
    func subquery(_ relation: FilterRelation, _ node: Filter.Node?) throws -> String {
        let inner = inside(relation)
        let condition = try node.map { ", " + (try inner.text($0)) } ?? ""
        return "SUBQUERY(\(try text(of: relation)), \(inner.variable(0))\(condition))"
    }

    /// Returns the variable of the member that is `level` conditions farther out.
    func variable(_ level: Int) -> String {
        let depth = members.count - level
        return depth == 1 ? "$m" : "$m\(depth)"
    }

    func aggregate(_ aggregate: FilterAggregate) throws -> String {
        let (relation, kind) = (aggregate.relation, aggregate.kind.formatName)
        let inner = inside(relation)
        guard let operand = aggregate.operand else {
            let members =
                try aggregate.filter.map { try subquery(relation, $0) } ?? text(of: relation)
            return "\(members).@\(kind)"
        }
        if case .path(let path) = operand, path.scope == .member(0), path.slot != FilterPath.keySlot
        {
            let members =
                try aggregate.filter.map { try subquery(relation, $0) } ?? text(of: relation)
            return "\(members).@\(kind).\(try inner.names(of: path).joined(separator: "."))"
        }
        let isNumber = aggregate.kind == .sum || aggregate.kind == .average
        let wanted = isNumber ? FormatType.double : nil
        return
            "\(try subquery(relation, aggregate.filter)).@\(kind)(\(try inner.operand(operand, beside: wanted)))"
    }
}

extension FilterOperand {
    /// Whether the operand reads the member of the innermost condition around it.
    fileprivate var mentionsMember: Bool {
        var found = false
        _ = mapping(
            FilterMapping(scope: { scope, depth in
                if scope == .member(depth) { found = true }
                return scope
            }))
        return found
    }
}

extension Filter.Quantifier {
    fileprivate var formatWord: String {
        switch self {
        case .any: "ANY"
        case .none: "NONE"
        }
    }
}
