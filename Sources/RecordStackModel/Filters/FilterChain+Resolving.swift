import FoundationEssentials

extension FilterChain {
    /// The number of terms up to which a chain is not searched for comparisons to combine.
    static let fewTerms = 16

    /// Returns the terms in the form in which a store evaluates them.
    ///
    /// Many comparisons of one property with values become one list. SQLite takes quadratic time
    /// for many comparisons, and in memory a set lookup replaces them.
    ///
    /// - Parameter comparison: the comparison to combine: equality for OR, inequality for AND.
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
            // The list takes the position of the first of its terms.
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
    /// Returns the property and value of a comparison that a list can replace; nil otherwise.
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
