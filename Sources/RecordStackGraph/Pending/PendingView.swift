import RecordStackModel

/// Answers a request in a context with unsaved changes.
///
/// Dirty objects are evaluated in memory, through ``PendingRows``. SQL evaluates all other rows, in several requests if the
/// filter reads dirty objects through a relationship. A row for which SQL cannot do that, because the sort keys or values do,
/// is loaded and evaluated in memory, too.
struct PendingView {
    let context: ManagedObjectContext
    let request: StoreRequest
    let reader: any StoreReader
    private let table: EntityTable
    let pending: PendingRows
    /// The request for SQL. It still returns dirty rows, which the sink declines.
    private let clean: StoreRequest
    /// The requests for the clean rows that match by a dirty object.
    private let others: [StoreRequest]
    /// Clean objects that are evaluated in memory.
    let affected: [ManagedObject]

    /// - Parameter operands: the values that the caller reads besides.
    init(
        context: ManagedObjectContext, request: StoreRequest, reader: any StoreReader,
        readingThrough operands: [FilterOperand] = []
    ) throws {
        self.context = context
        self.request = request
        self.reader = reader
        let reads = request.readsRelationships || operands.contains(where: \.readsRelationship)
        // With one statement SQLite needs no transaction of ours.
        if reads { try reader.beginTransaction() }
        table = context.table(of: request.entity)
        pending = try context.pendingRows(of: table)
        if !reads {
            (clean, others, affected) = (request, [], [])
            return
        }
        let split = try RelationshipSplit(request, in: context)
        let affected = try context.affectedRows(of: request, reading: split.unsplit, operands)
        let requests = split.requests.map { request in affected.map(request.leavingOut) ?? request }
        clean = requests[0]
        others = Array(requests.dropFirst())
        guard let affected else {
            self.affected = []
            return
        }
        var rows = StoreRequest(entity: request.entity, filter: affected)
        rows.includesSubentities = request.includesSubentities
        self.affected = try context.fetchLeavingOut(rows, reader)
    }

    /// The disjoint requests for SQL, which leave dirty rows out.
    var stored: [StoreRequest] { ([clean] + others).map(leavingOut) }

    private func leavingOut(_ request: StoreRequest) -> StoreRequest {
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
        try affected.filter { try context.isMatching($0, request.filter) }
    }

    /// A dirty object is always registered.
    private func objects(of keys: some Sequence<Int64>) -> [ManagedObject] {
        keys.compactMap { table.object($0) }
    }

    /// Returns the matching objects in memory that can be in the window or before it, in the request's order.
    private func firstMatching() throws -> (first: [ManagedObject], total: Int) {
        let found = try matches(isSorted: true)
        if found.isSorted && affected.isEmpty {
            return (objects(of: found.keys.prefix(lastPlace)), found.keys.count)
        }
        let all = try objects(of: found.keys) + matchingAffected()
        return (try all.first(lastPlace) { try order($0, $1) == .before }, all.count)
    }

    /// The number of objects that can be in the window or before it.
    private var lastPlace: Int {
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
        return try window(of: firstMatching(), key: \.keyValue, mayDecline: true, order: order) {
            try fetch($0)
        }
    }

    private func fetch(_ request: StoreRequest) throws -> [ManagedObject] {
        try context.fetchLeavingOut(request, reader)
    }

    /// - Returns: nil if rows are missing because too many of those that SQL returned were declined.
    private func fetch(_ window: StoredWindow) throws -> [ManagedObject]? {
        let sink = FetchSink(
            context: context, entity: request.entity, skipsDiffering: true,
            expected: min(window.request.limit ?? 16, 1_024), most: window.rows)
        try reader.rows(window.request, into: sink)
        let isCutOff = sink.count + sink.declined >= window.request.limit ?? .max
        if window.declines && isCutOff && !sink.isFull { return nil }
        return sink.takeResults(as: ManagedObject.self)
    }

    private func order(_ a: ManagedObject, _ b: ManagedObject) throws -> Order {
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
            try storedRows(of: $0.request, operands)
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

    /// Returns the key behind which no row can be in the window: that of the last object in memory, if the objects in
    /// memory fill the window.
    private func lastKey<Item>(of judged: [Item], _ key: (Item) -> Int64) -> Int64? {
        guard request.sort.isEmpty, request.offset == 0, let limit = request.limit, limit > 0,
            judged.count >= limit
        else { return nil }
        return key(judged[limit - 1])
    }

    /// Adds the rows that match by a dirty object to the sorted objects in memory.
    private func addingOthers<Item>(
        to judged: (first: [Item], total: Int), order: (Item, Item) throws -> Order,
        rows: (StoreRequest) throws -> [Item]
    ) throws -> (first: [Item], total: Int) {
        var (first, total) = judged
        for wanted in otherWindows {
            let found = try rows(wanted)
            first = try Self.merged(first[...], with: found, order)
            // If the limit cut rows off, the sum still exceeds the offset.
            total += found.count
        }
        return (first, total)
    }

    /// The requests for SQL of the rows that match by a dirty object, as far as they can be in the window or before it.
    private var otherWindows: [StoreRequest] {
        others.map { other in
            var wanted = leavingOut(other)
            wanted.offset = 0
            wanted.limit = lastPlace == .max ? nil : lastPlace
            return wanted
        }
    }

    /// The request for SQL of the rows in the window.
    private struct StoredWindow {
        var request: StoreRequest
        /// True if the request returns the rows of dirty objects, which must be declined. There can be more of them than its
        /// limit has room for.
        let declines: Bool
        /// The number of rows that the window can show.
        let rows: Int
    }

    /// - Parameters:
    ///   - judged: the sorted objects in memory. Objects behind the window may be missing.
    ///   - total: their number.
    ///   - mayDecline: true if the caller declines the rows of dirty objects itself.
    private func storedWindow<Item>(
        of judged: [Item], total: Int, key: (Item) -> Int64, mayDecline: Bool
    ) -> StoredWindow {
        if request.limit == nil && request.offset == 0 {
            return StoredWindow(
                request: mayDecline ? clean : leavingOut(clean), declines: mayDecline, rows: .max)
        }
        // At most `total` objects in memory precede the window, so its first row is at most `total` rows earlier. If that
        // is behind the first row, `judged` is complete.
        let start = max(0, request.offset - total)
        let declines = mayDecline && start == 0
        var wanted = declines ? clean : leavingOut(clean)
        wanted.offset = start
        // A sum beyond Int.max means no limit.
        let last = request.limit.map { (request.offset - start).addingReportingOverflow($0) }
        wanted.limit = last.flatMap { $0.overflow ? nil : $0.partialValue }
        let rows = wanted.limit ?? .max
        if declines { wanted.limit = wanted.limit.map { roomForDeclined(beside: $0) } }
        if let lastKey = lastKey(of: judged, key) {
            let isBefore = Filter.Node.compare(
                FilterPath(slot: FilterPath.keySlot), .less, .integer(lastKey))
            wanted.filter = wanted.filter.map { .and($0, isBefore) } ?? isBefore
        }
        return StoredWindow(request: wanted, declines: declines, rows: rows)
    }

    /// Returns the requests for SQL of the window, and whether the rows of dirty objects are declined. Reads rows to find
    /// out whether too many would be.
    func windowRequests(mayDecline: Bool) throws -> (requests: [StoreRequest], declines: Bool) {
        let (judged, total) = try addingOthers(to: firstMatching(), order: order) { try fetch($0) }
        func window(mayDecline: Bool) -> StoredWindow {
            storedWindow(of: judged, total: total, key: \.keyValue, mayDecline: mayDecline)
        }
        var wanted = window(mayDecline: mayDecline)
        if wanted.declines, wanted.request.limit != nil, try fetch(wanted) == nil {
            wanted = window(mayDecline: false)
        }
        return ([wanted.request] + otherWindows, wanted.declines)
    }

    /// Returns a limit with room for dirty rows that are read and declined. The first rows are seldom all dirty, and to read
    /// a row too many costs less than to call a function for each row. If the room does not suffice, the function is called.
    private func roomForDeclined(beside limit: Int) -> Int {
        let (sum, isTooFar) = limit.addingReportingOverflow(
            min(pending.keys.count, max(4, limit / 8)))
        return isTooFar ? .max : sum
    }

    /// Merges sorted objects in memory with sorted rows and cuts the request's window.
    /// - Parameters:
    ///   - inMemory: the matching objects in memory, and their number. Objects behind the window may be missing.
    ///   - mayDecline: true if `rows` declines the rows of dirty objects itself.
    ///   - rows: returns nil if too many were declined.
    private func window<Item>(
        of inMemory: (first: [Item], total: Int), key: (Item) -> Int64, mayDecline: Bool = false,
        order: (Item, Item) throws -> Order, rows: (StoredWindow) throws -> [Item]?
    ) throws -> [Item] {
        let (judged, total) = try addingOthers(to: inMemory, order: order) {
            try rows(StoredWindow(request: $0, declines: false, rows: .max)) ?? []
        }
        func stored(mayDecline: Bool) throws -> (start: Int, rows: [Item])? {
            let window = storedWindow(of: judged, total: total, key: key, mayDecline: mayDecline)
            return try rows(window).map { (window.request.offset, $0) }
        }
        // The second request reads all of its rows itself, so the rows are of one moment.
        let (start, found) =
            try stored(mayDecline: mayDecline) ?? stored(mayDecline: false) ?? (0, [])
        var before = 0
        if start > 0 {
            // The number of objects in memory before the first row.
            before =
                try found.first.flatMap { row in
                    try judged.firstIndex { try order($0, row) == .after }
                } ?? judged.count
        }
        let all = try Self.merged(judged[before...], with: found, order)
        let skipped = request.offset - start - before
        let limit = request.limit ?? .max
        if skipped == 0 && all.count <= limit { return all }
        return Array(all.dropFirst(skipped).prefix(limit))
    }

    /// Finds the place of each object among the rows by doubling steps and bisection: the objects are often few, and often
    /// neighbors.
    private static func merged<Item>(
        _ judged: ArraySlice<Item>, with rows: [Item], _ order: (Item, Item) throws -> Order
    ) throws -> [Item] {
        if judged.isEmpty { return rows }
        if rows.isEmpty { return Array(judged) }
        var result: [Item] = []
        result.reserveCapacity(rows.count + judged.count)
        var next = 0
        for object in judged {
            var (low, high, step) = (next, next, 1)
            while high < rows.count, try order(object, rows[high]) == .after {
                low = high + 1
                high += step
                step *= 2
            }
            high = min(high, rows.count)
            while low < high {
                let middle = (low + high) / 2
                if try order(object, rows[middle]) == .before {
                    high = middle
                } else {
                    low = middle + 1
                }
            }
            if next < low { result += rows[next..<low] }
            result.append(object)
            next = low
        }
        if next < rows.count { result += rows[next...] }
        return result
    }

    // MARK: Counting

    func count() throws -> Int {
        var total = try matchCount()
        for request in counting { total += try reader.count(request) }
        let rest = max(0, total - request.offset)
        return request.limit.map { min($0, rest) } ?? rest
    }

    /// The requests for SQL to count.
    var counting: [StoreRequest] {
        // A running or in-doubt save can have inserted the new objects.
        let dirty = context.mayBeSaved ? pending.keys : pending.storedKeys(in: table)
        return ([clean] + others).map { request in
            var counting = request
            counting.limit = nil
            counting.offset = 0
            if !dirty.isEmpty { counting.leavingOut = dirty }
            return counting
        }
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
