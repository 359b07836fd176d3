import RecordStackModel

// The window of a request with a limit or an offset, merged from objects in memory and rows.
extension PendingView {
    /// Returns the key behind which no row can be in the window; nil if there is none.
    ///
    /// If the objects in memory fill the window, it is the key of the last of them.
    private func lastKey<Item>(of judged: [Item], _ key: (Item) -> Int64) -> Int64? {
        guard request.sort.isEmpty, request.offset == 0, let limit = request.limit, limit > 0,
            judged.count >= limit
        else { return nil }
        return key(judged[limit - 1])
    }

    /// Adds the rows that match through a dirty object to the sorted objects in memory.
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

    /// The SQL requests for the rows that match through a dirty object.
    ///
    /// They return only the rows that can be in the window or before it.
    private var otherWindows: [StoreRequest] {
        others.map { other in
            var wanted = leavingOut(other)
            wanted.offset = 0
            wanted.limit = windowEnd == .max ? nil : windowEnd
            return wanted
        }
    }

    /// The SQL request for the rows in the window.
    struct StoredWindow {
        var request: StoreRequest
        /// True if the request returns rows of dirty objects, which the sink must decline.
        ///
        /// There can be more of them than the limit has room for.
        let declines: Bool
        /// The number of rows that the window can show.
        let rows: Int
        /// The dirty rows before the window, if they determine where it begins.
        var passed: PassedRows?
        /// The requests to run after the first one, if that one returns too few rows.
        var further: [StoreRequest] = []
        /// True if the requests begin behind the known front.
        var isBehindFront = false
        /// The last key that the sink wants.
        ///
        /// Rows come in the order of their keys, and no later row is in the window.
        var last = Int64.max
    }

    /// The ways to leave out the rows of dirty objects, the fastest ones first.
    private enum Omission {
        /// SQL returns the rows, and the sink declines them.
        ///
        /// The limit has room for as many dirty rows as there usually are.
        case declining
        /// SQL returns the rows, and the sink declines them. The context can tell which ones.
        case known
        /// SQL begins behind the rows: the last request found that all of them precede the window.
        case behind
        /// SQL calls a function for each row.
        case function

        // Static, so that a request in a loop creates no array.
        static let never: [Omission] = [.function]
        static let ofAll: [Omission] = [.declining]
        static let ofParts: [Omission] = [.declining, .function]
        static let ofWindow: [Omission] = [.declining, .known, .function]
        static let behindFront: [Omission] = [.behind, .known, .declining, .function]
    }

    /// Returns the ways to try, in this order.
    ///
    /// - Parameter mayDecline: true if the caller declines the rows of dirty objects itself.
    private func omissions(mayDecline: Bool) -> [Omission] {
        if !mayDecline { return Omission.never }
        if request.limit == nil && request.offset == 0 { return Omission.ofAll }
        guard asksWhole else { return Omission.ofParts }
        let mayStand = pending.front.map {
            $0.question == FilterMemo.Question(request, isSorted: true)
        }
        return mayStand == true ? Omission.behindFront : Omission.ofWindow
    }

    /// Returns the SQL request for the window.
    ///
    /// - Parameters:
    ///   - judged: the sorted objects in memory. Objects behind the window may be missing.
    ///   - total: the number of all matching objects in memory.
    /// - Returns: nil if the window cannot be read in that way.
    private func storedWindow<Item>(
        of judged: [Item], total: Int, key: (Item) -> Int64, by omission: Omission
    ) throws -> StoredWindow? {
        if request.limit == nil && request.offset == 0 {
            if case .declining = omission {
                return StoredWindow(request: clean, declines: true, rows: .max)
            }
            return StoredWindow(request: leavingOut(clean), declines: false, rows: .max)
        }
        // At most `total` objects in memory precede the window, so its first row is at most `total`
        // rows earlier. If `start` is greater than 0, `judged` is complete.
        let start = max(0, request.offset - total)
        var wanted = clean
        wanted.offset = start
        // A sum beyond Int.max means no limit.
        let last = request.limit.map { (request.offset - start).addingReportingOverflow($0) }
        wanted.limit = last.flatMap { $0.overflow ? nil : $0.partialValue }
        let rows = wanted.limit ?? .max
        var declines = false
        switch omission {
        case .function: wanted = leavingOut(wanted)
        case .declining:
            if start > 0 { return nil }
            declines = true
            wanted.limit = wanted.limit.map { roomForDeclined(beside: $0) }
        case .behind:
            let parts = try requestsBehindFront()
            if parts.isEmpty || start > 0 || wanted.limit == nil { return nil }
            let limited = parts.map { part in
                var part = part
                part.limit = wanted.limit.map { roomForDeclined(beside: $0) }
                return part
            }
            return StoredWindow(
                request: limited[0], declines: true, rows: rows,
                further: Array(limited.dropFirst()), isBehindFront: true)
        case .known:
            let matches = try pending.storedMatches(
                of: request, isSorted: true, in: table, context)
            guard let matches else { return nil }
            let areFew = matches.keys.count <= PassedRows.most(beside: request.limit)
            if start > 0 || !areFew {
                guard let passed = PassedRows(matches, before: start, of: request, areFew: areFew)
                else { return nil }
                passed.apply(to: &wanted)
                return StoredWindow(request: wanted, declines: true, rows: rows, passed: passed)
            }
            declines = true
            wanted.limit = wanted.limit.map {
                let (sum, isTooFar) = $0.addingReportingOverflow(matches.keys.count)
                return isTooFar ? .max : sum
            }
        }
        if let lastKey = lastKey(of: judged, key) {
            if declines && isDecidedByIndex {
                return StoredWindow(request: wanted, declines: true, rows: rows, last: lastKey)
            }
            let isBefore = Filter.Node.compare(
                FilterPath(slot: FilterPath.keySlot), .less, .integer(lastKey))
            wanted.filter = wanted.filter.map { .and($0, isBefore) } ?? isBefore
        }
        return StoredWindow(request: wanted, declines: declines, rows: rows)
    }

    /// Whether an index of the store has exactly the matching rows, in the order of their keys.
    ///
    /// If so, the sink can stop at the last one, and the request keeps the statement that it has in
    /// a clean context. Any other request could read many rows behind the last one.
    private var isDecidedByIndex: Bool {
        guard case .compare(.path(let path), .equal, .value(let value), []) = request.filter,
            !value.isNull, path.scope == .root
        else { return false }
        let model = context.coordinator.model
        let entity = model.modelEntities[request.entity]
        return !model.hierarchies[entity.hierarchy].isPolymorphic
            && path.isIndexed(in: entity.description)
    }

    /// Returns the SQL requests for the window, and whether the sink declines dirty rows.
    ///
    /// It reads rows to find out whether too many of them would be declined.
    func windowRequests(mayDecline: Bool) throws -> (requests: [StoreRequest], declines: Bool) {
        let (judged, total) = try addingOthers(to: firstMatching(), order: order) { try fetch($0) }
        for omission in omissions(mayDecline: mayDecline) {
            let window = try storedWindow(of: judged, total: total, key: \.keyValue, by: omission)
            guard let window else { continue }
            if window.declines, window.request.limit != nil, try fetch(window) == nil { continue }
            return ([window.request] + window.further + otherWindows, window.declines)
        }
        // The last way always works.
        return (stored, false)
    }

    /// Returns a limit with room for dirty rows that are read and declined.
    ///
    /// The first rows are seldom all dirty, and one row too many costs less than a function call
    /// for each row. If the room is too small, SQL calls the function.
    private func roomForDeclined(beside limit: Int) -> Int {
        let (sum, isTooFar) = limit.addingReportingOverflow(
            min(pending.keys.count, max(4, limit / 8)))
        return isTooFar ? .max : sum
    }

    /// Merges sorted objects in memory with sorted rows, and cuts out the request's window.
    ///
    /// - Parameters:
    ///   - inMemory: the matching objects in memory, and their number. Objects behind the window
    ///     may be missing.
    ///   - mayDecline: true if `rows` declines the rows of dirty objects itself.
    ///   - rows: returns nil if too many rows were declined.
    func window<Item>(
        of inMemory: (first: [Item], total: Int), key: (Item) -> Int64, mayDecline: Bool = false,
        order: (Item, Item) throws -> Order,
        rows: (StoredWindow) throws -> (start: Int, rows: [Item])?
    ) throws -> [Item] {
        let (judged, total) =
            others.isEmpty
            ? inMemory
            : try addingOthers(to: inMemory, order: order) {
                try rows(StoredWindow(request: $0, declines: false, rows: .max))?.rows ?? []
            }
        var (start, found): (Int, [Item]) = (0, [])
        for omission in omissions(mayDecline: mayDecline) {
            let window = try storedWindow(of: judged, total: total, key: key, by: omission)
            // Each way reads all of its rows itself, so the rows are from one moment.
            guard let window, let read = try rows(window) else { continue }
            (start, found) = read
            break
        }
        var before = 0
        if start > 0 {
            // The number of objects in memory before the first row.
            before =
                try found.first.flatMap { row in
                    try judged.firstIndex { try order($0, row) == .after }
                } ?? judged.count
        }
        let skipped = request.offset - start - before
        let limit = request.limit ?? .max
        if limit == 1 && skipped == 0 && before == 0 {
            // The first of two lists is the first of one of them.
            guard let object = judged.first else { return found.count > 1 ? [found[0]] : found }
            let isBehind = try found.first.map { try order(object, $0) == .after } ?? false
            return [isBehind ? found[0] : object]
        }
        let all = try Self.merged(judged[before...], with: found, order)
        if skipped == 0 && all.count <= limit { return all }
        return Array(all.dropFirst(skipped).prefix(limit))
    }

    /// Merges sorted objects with sorted rows.
    ///
    /// It finds the index of each object by doubling steps and bisection, because the objects are
    /// often few and often neighbors.
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
}
