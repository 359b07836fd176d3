import RecordStackModel

/// The dirty objects whose stored rows match a request's filter.
///
/// SQL returns these rows, and they must be left out. An operation merges all commits that its
/// reader sees, so the context has the stored values of its dirty objects' rows. With the matches,
/// a count needs no function that SQLite calls for each row, and a limit has exactly the room that
/// it needs.
struct StoredMatches {
    /// The keys of the objects, in the request's order if the caller needs it.
    let keys: ContiguousArray<Int64>.SubSequence
    let isSorted: Bool
}

extension PendingRows {
    /// The most objects to evaluate at a request. With more of them, SQLite is faster.
    private static let mostEvaluated = 64

    /// Finds the dirty objects whose rows match a request, whatever its limit.
    ///
    /// Nil if the rows are unknown, or if finding the objects costs too much.
    func storedMatches(
        of request: StoreRequest, isSorted: Bool, in table: EntityTable,
        _ context: ManagedObjectContext
    ) throws -> StoredMatches? {
        guard keys.count > Self.few, unknownRows.isEmpty, context.knowsStoredRows,
            request.bound == nil, request.mayHaveMemo
        else { return nil }
        if let filter = request.filter,
            let found = try storedMatchesByIndex(of: request, filter, in: table, context)
        {
            return found
        }
        let inOrder = isSorted && request.sortStaysOnObjects
        // A memo evaluates the filter for every dirty object, which is worthwhile only for a
        // frequent request.
        guard isAskedOften(FilterMemo.Question(request, isSorted: inOrder)) else { return nil }
        let question = FilterMemo.Question(request, isSorted: inOrder, isOfRows: true)
        let kinds = context.coordinator.model.kinds(of: request)
        let memo = try memo(of: question, kinds: kinds, in: table, context) { nil }
        return StoredMatches(keys: memo.keys[...], isSorted: inOrder)
    }

    private func storedMatchesByIndex(
        of request: StoreRequest, _ filter: Filter.Node, in table: EntityTable,
        _ context: ManagedObjectContext
    ) throws -> StoredMatches? {
        var fewest: (keys: ContiguousArray<Int64>, isWhole: Bool)?
        try filter.forEachIndexedTerm(of: request.entity) { term in
            guard let value = term.values.single, var subject = term.subject,
                fewest?.keys.isEmpty != true
            else { return }
            subject.isOfRows = true
            let keys = try index(of: subject, in: table, context).keys(of: value, in: table)
            if keys.count < fewest?.keys.count ?? .max { fewest = (keys, term.isWhole) }
        }
        guard let fewest else { return nil }
        let isSorted = request.sort.isEmpty
        if fewest.keys.isEmpty || fewest.isWhole && request.includesSubentities {
            return StoredMatches(keys: fewest.keys[...], isSorted: isSorted)
        }
        if fewest.keys.count > Self.mostEvaluated { return nil }
        let kinds = context.coordinator.model.kinds(of: request)
        let matches = try fewest.keys.filter { key in
            guard let object = table.object(key), kinds.contains(context.entityIndex(of: object))
            else { return false }
            context.monitor.counters.objectsJudged.add(1)
            return try filter.isTrue(for: OwnSubject(object: object, isRow: true))
        }
        return StoredMatches(keys: ContiguousArray(matches)[...], isSorted: isSorted)
    }
}

extension ManagedObjectContext {
    /// Whether the context has the stored values of its dirty objects' rows.
    var knowsStoredRows: Bool {
        // A running or in-doubt save may have written values that the context has not merged.
        parentContext == nil && parentSnapshot == nil && !mayBeSaved && !isMergingSuspended
            && !versionRefresh.needsRefreshByVersion && tree.isPinned
    }
}
