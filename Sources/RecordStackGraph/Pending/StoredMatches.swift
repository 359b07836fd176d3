import RecordStackModel

/// The dirty objects whose stored rows match a request's filter: those that SQL returns and that must be left out.
///
/// An operation takes in all commits that its reader sees, so what a context knows of its dirty objects' rows is what the store
/// has. With it, a count needs no function that SQLite calls for each row, and a limit has exactly the room that it needs.
struct StoredMatches {
    /// In the request's order where that is asked for.
    let keys: ContiguousArray<Int64>.SubSequence
    let isSorted: Bool
}

extension PendingRows {
    /// Evaluating more objects at each request takes longer than what SQLite does for them.
    private static let mostEvaluated = 64

    /// Finds the dirty objects whose rows match a request, whatever its limit; nil if it is not known, or costs too much.
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
        // A memo evaluates the filter for every dirty object. It is worth that for a request that comes again and again.
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
    /// True if the rows of dirty objects are as the objects say.
    var knowsStoredRows: Bool {
        // Of what a save under way or in doubt has written, the context has not heard.
        parentContext == nil && parentSnapshot == nil && !mayBeSaved && !isMergingSuspended
            && !versionRefresh.needsRefreshByVersion && tree.isPinned
    }
}
