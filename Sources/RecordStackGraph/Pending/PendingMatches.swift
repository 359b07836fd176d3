import RecordStackModel

/// The objects that differ from the store for which a request's filter is true.
struct PendingMatches {
    /// How they were found.
    enum Way {
        /// By the values that an index has.
        case index
        /// Judged once, and only what has changed since.
        case memo
        /// Each was judged.
        case each
    }

    var keys: ContiguousArray<Int64>.SubSequence = []
    /// Whether the keys are in the request's order.
    var isSorted = false
    var way = Way.each
    /// How many objects were judged for it.
    var judged = 0
}

extension PendingRows {
    /// So few are judged in less time than an index takes to be looked up.
    private static let few = 2

    /// Finds the objects of a request, by the cheapest way that there is.
    /// - Parameter isSorted: whether their order is of interest.
    func matches(
        of request: StoreRequest, isSorted: Bool, in table: EntityTable,
        _ context: ManagedObjectContext
    ) throws -> PendingMatches {
        if keys.isEmpty { return PendingMatches(isSorted: true) }
        let kinds = context.coordinator.model.kinds(of: request)
        if keys.count > Self.few {
            if let found = try matchesByIndex(of: request, kinds, in: table, context) {
                return found
            }
            let inOrder = isSorted && request.sortStaysOnObjects
            let mayBeBound = request.bound == nil || request.sortStaysOnObjects
            if mayBeBound && request.filterStaysOnObjects && request.filter?.hasShortLists ?? true {
                let (memo, judged) = try memo(
                    of: FilterMemo.Question(request, isSorted: inOrder), kinds: kinds, in: table,
                    context)
                return PendingMatches(
                    keys: try memo.keys(within: request.bound, in: table), isSorted: inOrder,
                    way: .memo, judged: judged)
            }
        }
        var found = PendingMatches()
        try table.forEachDiffering { object in
            guard kinds.contains(context.entityIndex(of: object)) else { return }
            found.judged += 1
            if try context.isMatching(object, request.filter) { found.keys.append(object.keyValue) }
        }
        return found
    }

    private func matchesByIndex(
        of request: StoreRequest, _ kinds: [Int], in table: EntityTable,
        _ context: ManagedObjectContext
    ) throws -> PendingMatches? {
        guard let filter = request.filter else { return nil }
        var best: (keys: ContiguousArray<Int64>, isWhole: Bool)?
        for term in filter.indexedTerms(of: request.entity) where term.values.count <= keys.count {
            let found = try keys(of: term, in: table, context)
            if found.count < best?.keys.count ?? .max {
                best = (found, term.isWhole && request.includesSubentities)
            }
            if found.isEmpty { break }
        }
        guard let best else { return nil }
        var found = PendingMatches(way: .index)
        found.isSorted = request.sort.isEmpty
        if best.isWhole {
            found.keys = best.keys[...]
            return found
        }
        for key in best.keys {
            guard let object = table.object(key), kinds.contains(context.entityIndex(of: object))
            else { continue }
            found.judged += 1
            if try context.isMatching(object, filter) { found.keys.append(key) }
        }
        return found
    }

    /// The keys of the objects for which a term is true, ascending.
    private func keys(
        of term: IndexedTerm, in table: EntityTable, _ context: ManagedObjectContext
    ) throws -> ContiguousArray<Int64> {
        guard let subject = term.subject else {
            return ContiguousArray(
                term.values.compactMap { value -> Int64? in
                    guard case .integer(let key) = value, let object = table.object(key),
                        keys.contains(key), !object.has(ObjectFlags.deleted)
                    else { return nil }
                    return key
                }.sorted())
        }
        let index = try index(of: subject, in: table, context)
        if term.values.count == 1 { return index.keys(of: term.values[0], in: table) }
        var all: Set<Int64> = []
        for value in term.values { all.formUnion(index.keys(of: value, in: table)) }
        return ContiguousArray(all.sorted())
    }
}

/// A term of a filter that an index answers.
struct IndexedTerm {
    /// Nil for the objects' keys, by which the context finds them anyway.
    let subject: PendingIndex.Subject?
    let values: [StoredValue]
    /// Whether it is all of the filter, and its objects are those of the filter without being judged.
    let isWhole: Bool
}

extension Filter.Node {
    /// What an index answers, of terms that must all be true.
    func indexedTerms(of entity: Int) -> [IndexedTerm] {
        if case .and(let chain) = self {
            return chain.terms.compactMap { $0.indexedTerm(of: entity, isWhole: false) }
        }
        return indexedTerm(of: entity, isWhole: true).map { [$0] } ?? []
    }

    private func indexedTerm(of entity: Int, isWhole: Bool) -> IndexedTerm? {
        switch self {
        case .compare(.path(let path), .equal, .value(let value), []) where !value.isNull:
            return path.term(of: entity, [value], isList: false, isWhole: isWhole)
        case .isNull(.path(let path)) where path.slot != FilterPath.keySlot:
            return path.term(of: entity, [.null], isList: false, isWhole: isWhole)
        case .among(.path(let path), let list, []):
            return path.term(of: entity, list.values, isList: true, isWhole: isWhole)
        default: return nil
        }
    }
}

extension FilterPath {
    fileprivate func term(
        of entity: Int, _ values: [StoredValue], isList: Bool, isWhole: Bool
    ) -> IndexedTerm? {
        guard scope == .root, steps.isEmpty else { return nil }
        // An object that was found by its key is judged: it may be of another entity.
        if slot == Self.keySlot { return IndexedTerm(subject: nil, values: values, isWhole: false) }
        var isCaseless = false
        switch collation {
        case .binary: break
        case .caseInsensitive:
            // A list is compared by bytes.
            isCaseless = !isList
        case .decimal:
            // What is no number's own form equals others by its number.
            if !values.allSatisfy(\.isOwnForm) { return nil }
        default: return nil
        }
        let subject = PendingIndex.Subject(entity: entity, slot: slot, isCaseless: isCaseless)
        return IndexedTerm(subject: subject, values: values, isWhole: isWhole)
    }
}

extension StoredValue {
    /// Whether no other value stands for the same decimal number.
    fileprivate var isOwnForm: Bool {
        switch self {
        case .text(let text): DecimalText.isCanonical(text)
        case .null: true
        case .integer, .real, .blob: false
        }
    }
}
