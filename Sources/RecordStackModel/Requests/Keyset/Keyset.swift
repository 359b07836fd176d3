package import FoundationEssentials

/// A request that is paged by key: its order, ending with the object's key, and its digest.
package struct Keyset {
    package let request: StoreRequest
    /// The sort terms of the request, followed by the key.
    package let terms: [SortTerm]
    /// Whether an index has the order of the first term, so that several small queries are cheaper.
    private let isIndexed: Bool
    package let digest: UInt64

    package init(_ request: StoreRequest, model: ManagedObjectModel, store: UUID) {
        self.request = request
        let key = FilterOperand.path(FilterPath(slot: FilterPath.keySlot))
        terms = request.sort + [SortTerm(key, isAscending: true)]
        let entity = model.modelEntities[request.entity].description
        isIndexed = terms[0].isIndexed(in: entity)
        var digest = StableDigest()
        digest.add(store.uuidString)
        digest.add(entity)
        digest.add(request.includesSubentities ? 1 : 0)
        if let filter = request.filter { digest.add(filter) }
        for term in request.sort {
            digest.add(term.operand)
            digest.add(term.options.rawValue)
            if let order = term.operand.collation.textOrder { digest.add(order.name) }
            digest.add((term.isAscending ? 1 : 0) + (term.nulls == .first ? 2 : 0))
        }
        self.digest = digest.value
    }

    /// Returns the requests that together find the objects after a position, or before it.
    ///
    /// The nearest objects come first. All objects of a
    /// request precede the objects of the next request.
    package func requests(from position: Position?, backwards: Bool) -> [StoreRequest] {
        let ordered = backwards ? terms.map(\.reversed) : terms
        var all = request
        // Without sort keys, a request already uses the order of the keys.
        all.sort = backwards || !request.sort.isEmpty ? ordered : []
        guard let position else { return [all] }
        let nodes = Self.nodes(behind: position, in: ordered)
        // Without an index, SQLite reads every row anyway,
        // so one condition suffices for all of them.
        let parts = isIndexed ? nodes.indices.map { $0...$0 } : [0...nodes.count - 1]
        return parts.map { wanted in
            var part = all
            let bound = KeysetBound(filter: all.filter, parts: nodes, wanted: wanted)
            let node = Filter.Node.anyOf(Array(nodes[wanted]))
            part.filter = all.filter.map { .and($0, node) } ?? node
            part.bound = bound
            return part
        }
    }

    /// Returns conditions that exclude one another, for the objects after a position.
    ///
    /// Each condition requires equality in the first terms, and a later value in the next term.
    private static func nodes(behind position: Position, in terms: [SortTerm]) -> [Filter.Node] {
        var nodes: [Filter.Node] = []
        for (index, term) in terms.enumerated().reversed() {
            let alike = zip(terms, position.values).prefix(index).map { $0.alike($1) }
            let isKey = index == terms.count - 1
            let behind = term.behind(
                position.values[index], inclusive: isKey && position.isInclusive)
            for node in behind {
                nodes.append(alike.reversed().reduce(node) { .and($1, $0) })
            }
        }
        return nodes
    }
}

extension Keyset {
    /// A position between two objects in the request's order.
    package struct Position: Sendable, Hashable {
        /// The values of the object next to the position.
        ///
        /// There is one value for each term. The last value is the object's key.
        package let values: [StoredValue]
        /// Whether the object itself also counts as after the position, or as before it.
        package let isInclusive: Bool

        package init(values: [StoredValue], isInclusive: Bool) {
            self.values = values
            self.isInclusive = isInclusive
        }
    }
}

extension SortTerm {
    /// The term with the opposite order.
    package var reversed: SortTerm {
        SortTerm(
            operand, isAscending: !isAscending, options: options,
            nulls: nulls == .first ? .last : .first)
    }

    fileprivate func alike(_ value: StoredValue) -> Filter.Node {
        value.isNull ? .isNull(operand) : .compare(operand, .equal, .value(value), options)
    }

    /// Returns conditions for the values after a value, nearest first.
    fileprivate func behind(_ value: StoredValue, inclusive: Bool) -> [Filter.Node] {
        switch (value.isNull, nulls) {
        case (true, .first): return [.not(.isNull(operand))]
        case (true, .last): return []
        case (false, _):
            let comparison: Filter.Comparison =
                switch (isAscending, inclusive) {
                case (true, false): .greater
                case (true, true): .greaterOrEqual
                case (false, false): .less
                case (false, true): .lessOrEqual
                }
            let further = Filter.Node.compare(operand, comparison, .value(value), options)
            return nulls == .first ? [further] : [further, .isNull(operand)]
        }
    }

    fileprivate func isIndexed(in entity: EntityDescription) -> Bool {
        guard case .path(let path) = operand, path.steps.isEmpty else { return false }
        if options == .caseInsensitive && path.slot != FilterPath.keySlot {
            return entity.slots[path.slot].index == .caseInsensitive
        }
        return (options.isEmpty || path.slot == FilterPath.keySlot) && path.isIndexed(in: entity)
    }
}

extension FilterPath {
    /// Whether an index, or the table itself, has the rows in the order of this property.
    package func isIndexed(in entity: EntityDescription) -> Bool {
        guard steps.isEmpty else { return false }
        if slot == Self.keySlot { return true }
        guard collation.textOrder == nil else { return false }
        if entity.slots[slot].isUnique || entity.slots[slot].index == collation { return true }
        return (entity.indexGroups + entity.uniqueGroups).contains { $0.slots.first == slot }
    }
}
