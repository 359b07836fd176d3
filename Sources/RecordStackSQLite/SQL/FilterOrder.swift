import RecordStackModel

extension FilterChain {
    /// The terms in the order in which SQL has them and their values are bound.
    ///
    /// SQLite's parser keeps everything before an open bracket on its stack, which has space for a
    /// hundred symbols. The deepest term therefore comes first if any term is deep.
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

    /// Calls a closure with ``sqlTerms``, without an array if the terms are in their own order.
    func forEachInSQL(_ body: (Filter.Node) throws -> Void) rethrows {
        if isShallow { try forEach(body) } else { try sqlTerms.forEach(body) }
    }

    private var isShallow: Bool { levels <= 5 }
}

/// A sequence of conditions in SQL, joined by AND or OR.
enum SQLRow: String {
    case and = " AND "
    case or = " OR "

    /// The largest number of terms in a sequence without brackets.
    ///
    /// Brackets cost stack space in the parser. Without any brackets, a long sequence would become
    /// a tree deeper than SQLite allows.
    private static var width: Int { 16 }

    /// Returns the sequence, in brackets if AND next to it would change its meaning.
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
