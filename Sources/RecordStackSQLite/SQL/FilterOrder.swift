import RecordStackModel

extension FilterChain {
    /// The terms in the order in which SQL has them and their values are bound.
    ///
    /// SQLite's parser keeps what stands before a bracket in mind until that is closed, and has room for
    /// a hundred such words. So the deepest term stands first where one is deep.
    var sqlTerms: [Filter.Node] {
        var terms = terms
        if isShallow { return terms }
        let depths = terms.map(\.levels)
        guard let deepest = depths.indices.max(by: { depths[$0] < depths[$1] }), deepest > 0 else {
            return terms
        }
        terms.insert(terms.remove(at: deepest), at: 0)
        return terms
    }

    /// Calls a body with ``sqlTerms``, without a list of them where they stand in their own order.
    func forEachInSQL(_ body: (Filter.Node) throws -> Void) rethrows {
        if isShallow { try forEach(body) } else { try sqlTerms.forEach(body) }
    }

    private var isShallow: Bool { levels <= 5 }
}

/// A row of conditions in SQL.
enum SQLRow: String {
    case and = " AND "
    case or = " OR "

    /// So many terms stand beside each other without brackets, which would be steps for the parser; without
    /// any, a long row would be a tree deeper than SQLite takes.
    private static var width: Int { 16 }

    /// The row, in brackets where it would fall apart beside AND.
    func sql(_ terms: [String], beside outer: SQLRow) -> String {
        var parts = terms
        while parts.count > Self.width {
            parts = stride(from: 0, to: parts.count, by: Self.width).map { start in
                let group = parts[start..<min(start + Self.width, parts.count)]
                return group.count == 1
                    ? parts[start] : "(" + SQLText.list(Array(group), by: rawValue) + ")"
            }
        }
        let text = SQLText.list(parts, by: rawValue)
        return self == .or && outer == .and && parts.count > 1 ? "(\(text))" : text
    }
}
