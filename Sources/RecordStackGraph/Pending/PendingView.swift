import RecordStackModel

/// Answers a request in a context with unsaved changes.
///
/// Dirty objects are evaluated in memory, through ``PendingRows``. SQL evaluates all other rows, in
/// several requests if the filter reads dirty objects through a relationship. SQL cannot evaluate a
/// row if its sort keys or values read dirty objects. Such a row is loaded and evaluated in memory,
/// too.
final class PendingView {
    let context: ManagedObjectContext
    let request: StoreRequest
    let reader: any StoreReader
    let table: EntityTable
    let pending: PendingRows
    /// The SQL request for clean rows. It also returns dirty rows, which the sink declines.
    let clean: StoreRequest
    /// The requests for the clean rows that match through a dirty object.
    let others: [StoreRequest]
    /// Clean objects that are evaluated in memory.
    let affected: [ManagedObject]
    /// True if SQL runs the request unchanged.
    ///
    /// The dirty rows that it returns are then those that match the request.
    let asksWhole: Bool

    /// Prepares the requests.
    ///
    /// - Parameter operands: further values that the caller reads.
    init(
        context: ManagedObjectContext, request: StoreRequest, reader: any StoreReader,
        readingThrough operands: [FilterOperand] = []
    ) throws {
        self.context = context
        self.request = request
        self.reader = reader
        let reads = request.readsRelationships || operands.contains(where: \.readsRelationship)
        // A single statement needs no explicit transaction.
        if reads { try reader.beginTransaction() }
        table = context.table(of: request.entity)
        pending = try context.queries.pendingRows(of: table)
        if !reads {
            (clean, others, affected, asksWhole) = (request, [], [], true)
            return
        }
        let split = try RelationshipSplit(request, in: context)
        let affected = try context.queries.affectedRows(
            of: request, reading: split.unsplit, operands)
        asksWhole = affected == nil && split.requests.count == 1 && split.requests[0] == request
        let requests = split.requests.map { request in affected.map(request.leavingOut) ?? request }
        clean = requests[0]
        others = Array(requests.dropFirst())
        guard let affected else {
            self.affected = []
            return
        }
        var rows = StoreRequest(entity: request.entity, filter: affected)
        rows.includesSubentities = request.includesSubentities
        self.affected = try context.queries.fetchLeavingOut(rows, reader)
    }

    /// The disjoint SQL requests, which leave out dirty rows.
    var stored: [StoreRequest] { ([clean] + others).map(leavingOut) }

    func leavingOut(_ request: StoreRequest) -> StoreRequest {
        var request = request
        if !pending.keys.isEmpty { request.leavingOut = pending.keys }
        return request
    }

    // MARK: In memory

    /// Returns the matching objects in memory, in no order.
    func matching() throws -> [ManagedObject] {
        try objects(of: matches(isSorted: false).keys) + matchingAffected()
    }

    func matches(isSorted: Bool) throws -> PendingMatches {
        try pending.matches(of: request, isSorted: isSorted, in: table, context)
    }

    private func matchingAffected() throws -> [ManagedObject] {
        try affected.filter { try context.queries.isMatching($0, request.filter) }
    }

    /// Returns the dirty objects with some keys. A dirty object is always registered.
    private func objects(of keys: some Sequence<Int64>) -> [ManagedObject] {
        keys.compactMap { table.object($0) }
    }

    /// Returns the matching objects in memory that can be in the window or before it.
    ///
    /// They are in the request's order, with the number of all matching objects in memory.
    func firstMatching() throws -> (first: [ManagedObject], total: Int) {
        let found = try matches(isSorted: true)
        if found.isSorted && affected.isEmpty {
            return (objects(of: found.keys.prefix(windowEnd)), found.keys.count)
        }
        let all = try objects(of: found.keys) + matchingAffected()
        return (try all.first(windowEnd) { try order($0, $1) == .before }, all.count)
    }

    /// The number of objects that can be in the window or before it.
    var windowEnd: Int {
        guard let limit = request.limit else { return .max }
        let (last, isTooFar) = request.offset.addingReportingOverflow(limit)
        return isTooFar ? .max : last
    }

    private func matchCount() throws -> Int {
        try matches(isSorted: false).keys.count + matchingAffected().count
    }

    // MARK: Merging memory and store

    /// Returns the objects of the request's window, in its order.
    func objects() throws -> [ManagedObject] {
        if request.limit == 0 { return [] }
        return try window(of: firstMatching(), key: \.keyValue, mayDecline: true) {
            try order($0, $1)
        } rows: {
            try fetch($0)
        }
    }

    func fetch(_ request: StoreRequest) throws -> [ManagedObject] {
        try context.queries.fetchLeavingOut(request, reader)
    }

    /// Reads the rows of a window.
    ///
    /// - Returns: the rows, and the number of clean rows that precede them. Nil if rows are missing
    ///   because too many rows were declined, or if other rows precede them than the context
    ///   expects.
    func fetch(_ window: StoredWindow) throws -> (start: Int, rows: [ManagedObject])? {
        let sink = FetchSink(
            context: context, entity: request.entity, skipsDiffering: true,
            expected: min(window.request.limit ?? 16, 1_024),
            most: window.passed == nil ? window.rows : .max, last: window.last)
        guard let passed = window.passed else {
            // All requests must see one moment.
            if !window.further.isEmpty { try reader.beginTransaction() }
            if try !fill(sink, from: window.request, declines: window.declines) { return nil }
            for part in window.further where !sink.isFull {
                if try !fill(sink, from: part, declines: window.declines) { return nil }
            }
            if window.isBehindFront { try extendFront(to: sink.lastKeyBeforeFirst) }
            return (window.request.offset, sink.takeResults(as: ManagedObject.self))
        }
        let first = FirstRowSink(sink)
        try reader.rows(window.request, into: first)
        guard let start = passed.start(of: first.key) else {
            pending.front = nil
            return nil
        }
        let isCutOff = sink.count + sink.declined >= window.request.limit ?? .max
        if isCutOff && sink.count < window.rows + passed.start - start { return nil }
        if passed.isSkipping { try noteFront(endingWith: passed.keys.last) }
        return (start, sink.takeResults(as: ManagedObject.self))
    }

    /// Reads the rows of a request into a sink.
    ///
    /// - Returns: false if rows are missing because too many rows were declined.
    private func fill(
        _ sink: FetchSink, from request: StoreRequest, declines: Bool
    ) throws -> Bool {
        let before = sink.count + sink.declined
        try reader.rows(request, into: sink)
        let isCutOff = sink.count + sink.declined - before >= request.limit ?? .max
        return !declines || !isCutOff || sink.isFull
    }

    func order(_ a: ManagedObject, _ b: ManagedObject) throws -> Order {
        request.sort.isEmpty
            ? Order(a.keyValue, b.keyValue) : try context.order(a, b, by: request.sort)
    }

    /// Returns the keys of the request's window, in its order. Creates no objects.
    func keys() throws -> [Int64] { try sortedRows(of: []).map(\.key) }

    /// Returns the IDs of the request's window, in its order.
    func ids() throws -> [ManagedObjectID] {
        let model = context.coordinator.model
        // A value query does not return the row's entity, which the ID needs in a shared table.
        if model.modelEntities[request.entity].kinds.count > 1 {
            return try objects().map(\.objectID)
        }
        return try keys().map { context.coordinator.objectID(entity: request.entity, key: $0) }
    }

    /// Returns the keys and some values of the request's window, in its order.
    func sortedRows(of operands: [FilterOperand]) throws -> [SortedRow] {
        if request.limit == 0 { return [] }
        let (first, total) = try firstMatching()
        let judged = try first.map {
            try SortedRow($0, in: context, by: request.sort, operands)
        }
        return try window(of: (judged, total), key: \.key) {
            $0.order($1, by: request.sort)
        } rows: {
            ($0.request.offset, try storedRows(of: $0.request, operands))
        }
    }

    private func storedRows(
        of request: StoreRequest, _ operands: [FilterOperand]
    ) throws -> [SortedRow] {
        var rows: [SortedRow] = []
        try reader.values(valueRequest(of: request, operands)) {
            rows.append(SortedRow($0, sortedBy: request.sort.count))
        }
        return rows
    }

    /// Returns a request for the key, the sort keys and some values of stored rows.
    func valueRequest(
        of request: StoreRequest, _ operands: [FilterOperand]
    ) -> ValueRequest {
        let key = FilterOperand.path(FilterPath(slot: FilterPath.keySlot))
        let columns = ([key] + request.sort.map(\.operand) + operands).map(ValueColumn.value)
        return ValueRequest(of: leavingOut(request), columns: columns)
    }

    // MARK: Counting

    func count() throws -> Int {
        var total = try matchCount()
        let (requests, subtrahend) = try counting()
        for request in requests { total += try reader.count(request) }
        total -= subtrahend ?? 0
        let rest = max(0, total - request.offset)
        return request.limit.map { min($0, rest) } ?? rest
    }

    /// Returns the SQL requests to count, and the number of dirty rows that they count.
    ///
    /// The number is nil if the requests leave out dirty rows themselves.
    func counting() throws -> (requests: [StoreRequest], subtrahend: Int?) {
        // A running or in-doubt save may have inserted the new objects.
        let dirty = context.mayBeSaved ? pending.keys : pending.storedKeys(in: table)
        let known =
            !dirty.isEmpty && asksWhole
            ? try pending.storedMatches(of: request, isSorted: false, in: table, context) : nil
        let requests = ([clean] + others).map { request in
            var counting = request
            counting.limit = nil
            counting.offset = 0
            if known == nil && !dirty.isEmpty { counting.leavingOut = dirty }
            return counting
        }
        return (requests, known?.keys.count)
    }

    func exists() throws -> Bool {
        if request.limit == 0 { return false }
        if request.offset > 0 { return try count() > 0 }
        if try matchCount() > 0 { return true }
        return try stored.contains { request in
            var wanted = request
            wanted.limit = nil
            return try reader.exists(wanted)
        }
    }
}

extension StoreRequest {
    /// Returns the request without the rows that match a filter.
    fileprivate func leavingOut(_ filter: Filter.Node) -> StoreRequest {
        var request = self
        request.filter = self.filter.map { .and($0, .not(filter)) } ?? .not(filter)
        return request
    }
}
