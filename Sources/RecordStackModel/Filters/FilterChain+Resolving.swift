import FoundationEssentials

extension FilterChain {
    /// Rows of more terms are looked through for what is better asked by a list.
    static let fewTerms = 16

    /// The terms as the store of a UUID answers them. Many comparisons of one property with values become
    /// one list: SQLite takes quadratic time for them, and in memory a set answers at once.
    /// - Parameter comparison: which ones: those that are equal for OR, those that are not for AND.
    func resolvedTerms(
        in store: UUID, reading scope: FormatScope?, comparison: Filter.Comparison
    ) throws -> [Filter.Node] {
        let terms = try terms.map { try $0.resolved(in: store, reading: scope) }
        if terms.count <= Self.fewTerms { return terms }
        var lists: [ListKey: [StoredValue]] = [:]
        let keys = terms.map { $0.listed(comparison) }
        for (key, value) in keys.lazy.compactMap({ $0 }) { lists[key, default: []].append(value) }
        return zip(terms, keys).compactMap { term, key in
            guard let (key, _) = key else { return term }
            guard let values = lists[key] else { return nil }
            if values.count <= Self.fewTerms { return term }
            // The list stands where the first of its terms stood.
            lists[key] = nil
            let among = Filter.Node.among(.path(key.path), values, key.options)
            return comparison == .equal ? among : .not(among)
        }
    }

    fileprivate struct ListKey: Hashable {
        let path: FilterPath
        let options: TextOptions
    }
}

extension Filter.Node {
    /// A property and the value that it is compared with; nil of what is no such comparison.
    fileprivate func listed(
        _ wanted: Filter.Comparison
    ) -> (FilterChain.ListKey, StoredValue)? {
        if case .not(let node) = self {
            return wanted == .notEqual ? node.listed(.equal) : nil
        }
        guard case .compare(.path(let path), wanted, .value(let value), let options) = self,
            path.collation == .binary, !value.isNull
        else { return nil }
        return (FilterChain.ListKey(path: path, options: options), value)
    }
}
