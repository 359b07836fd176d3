import RecordStackModel

/// A request's results where some of what it looks at is changed in memory: the rows whose objects
/// are as the store has them, and the objects that are not.
///
/// Three kinds of objects are told apart: those that differ, which are judged in memory; those that
/// are as stored, but whose filter looks through relationships at one that differs, which are
/// loaded and judged in memory as well; and the rest, which SQL judges.
struct PendingView {
    let context: ManagedObjectContext
    let request: StoreRequest
    let reader: any StoreReader
    private let table: EntityTable
    private let pending: PendingRows
    /// The rows that SQL judges, those of objects that differ among them: whoever takes the rows leaves these out.
    private var clean: StoreRequest
    /// Objects that are as stored, and judged in memory.
    private let affected: [ManagedObject]

    /// - Parameter operands: what is read of the objects besides.
    init(
        context: ManagedObjectContext, request: StoreRequest, reader: any StoreReader,
        readingThrough operands: [FilterOperand] = []
    ) throws {
        self.context = context
        self.request = request
        self.reader = reader
        try reader.beginTransaction()
        table = context.table(of: request.entity)
        pending = try context.pendingRows(of: table)
        clean = request
        guard let affected = try context.affectedRows(of: request, operands) else {
            self.affected = []
            return
        }
        var rows = StoreRequest(entity: request.entity, filter: affected)
        rows.includesSubentities = request.includesSubentities
        self.affected = try context.fetchLeavingOut(rows, reader)
        clean.filter = request.filter.map { .and($0, .not(affected)) } ?? .not(affected)
    }

    /// The rows that SQL judges, without those of objects that differ.
    var stored: StoreRequest {
        var stored = clean
        if !pending.keys.isEmpty { stored.leavingOut = pending.keys }
        return stored
    }

    /// How many objects are judged in memory.
    var judged: Int { pending.keys.count + affected.count }

    // MARK: What is judged in memory

    /// The objects for which the filter is true, in no order.
    func matching() throws -> [ManagedObject] {
        try objects(of: matches(isSorted: false).keys) + matchingAffected()
    }

    private func matches(isSorted: Bool) throws -> PendingMatches {
        try pending.matches(of: request, isSorted: isSorted, in: table, context)
    }

    private func matchingAffected() throws -> [ManagedObject] {
        try affected.filter { try context.isMatching($0, request.filter) }
    }

    /// What differs is held.
    private func objects(of keys: some Sequence<Int64>) -> [ManagedObject] {
        keys.compactMap { table.object($0) }
    }

    /// The first of them in the request's order, as many as can stand in the window or before it.
    private func firstMatching() throws -> (first: [ManagedObject], total: Int) {
        let found = try matches(isSorted: true)
        if found.isSorted && affected.isEmpty {
            return (objects(of: found.keys.prefix(lastPlace)), found.keys.count)
        }
        let all = try objects(of: found.keys) + matchingAffected()
        let first = try all.first(lastPlace) {
            try context.order($0, $1, by: request.sort) == .before
        }
        return (first, all.count)
    }

    /// How many judged objects can stand in the window, or before it.
    private var lastPlace: Int {
        guard let limit = request.limit else { return .max }
        let (last, isTooFar) = request.offset.addingReportingOverflow(limit)
        return isTooFar ? .max : last
    }

    private func matchCount() throws -> Int {
        try matches(isSorted: false).keys.count + matchingAffected().count
    }

    // MARK: Both together

    /// The objects of the request's window, in its order.
    func objects() throws -> [ManagedObject] {
        if request.limit == 0 { return [] }
        let (judged, total) = try firstMatching()
        return try window(of: judged, total: total, lastKey: lastKey(of: judged.map(\.keyValue))) {
            try context.fetchLeavingOut($0, reader)
        } order: {
            try context.order($0, $1, by: request.sort)
        }
    }

    /// The keys of the objects of the request's window, in its order. Makes no objects of rows.
    func keys() throws -> [Int64] { try sortedRows(of: []).map(\.key) }

    /// The IDs of the objects of the request's window, in its order.
    func ids() throws -> [ManagedObjectID] {
        let model = context.coordinator.model
        // A row says of which entity it is where several share a table, and values do not.
        if model.modelEntities[request.entity].kinds.count > 1 {
            return try objects().map(\.objectID)
        }
        return try keys().map { context.coordinator.objectID(entity: request.entity, key: $0) }
    }

    /// The same with values of each.
    func sortedRows(of operands: [FilterOperand]) throws -> [SortedRow] {
        if request.limit == 0 { return [] }
        let (first, total) = try firstMatching()
        let judged = try first.map {
            try SortedRow($0, in: context, by: request.sort, operands)
        }
        return try window(of: judged, total: total, lastKey: lastKey(of: judged.map(\.key))) {
            rows in
            try storedRows(of: rows, operands)
        } order: {
            $0.order($1, by: request.sort)
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

    /// What asks for values of stored rows, with what puts them in order.
    private func valueRequest(
        of request: StoreRequest, _ operands: [FilterOperand]
    ) -> ValueRequest {
        let key = FilterOperand.path(FilterPath(slot: FilterPath.keySlot))
        let columns = ([key] + request.sort.map(\.operand) + operands).map(ValueColumn.value)
        var request = request
        if !pending.keys.isEmpty { request.leavingOut = pending.keys }
        return ValueRequest(of: request, columns: columns)
    }

    /// How values are asked for.
    func explanation(ofValues operands: [FilterOperand]) throws -> RequestExplanation {
        try reader.explanation(of: valueRequest(of: clean, operands)).withPendingObjects(judged)
    }

    /// Where judged objects alone fill the window, rows behind the last of them need not be looked at.
    private func lastKey(of judged: [Int64]) -> Int64? {
        guard request.sort.isEmpty, request.offset == 0, let limit = request.limit,
            judged.count >= limit
        else { return nil }
        return judged[limit - 1]
    }

    /// What stands in the request's window, of judged objects and rows that are in its order.
    /// - Parameters:
    ///   - total: how many judged ones there are; those that cannot be in the window may be missing.
    ///   - lastKey: behind which no row can be in the window.
    private func window<Item>(
        of judged: [Item], total: Int, lastKey: Int64?, rows: (StoreRequest) throws -> [Item],
        order: (Item, Item) throws -> Order
    ) throws -> [Item] {
        if request.limit == nil && request.offset == 0 {
            return try Self.merged(judged[...], with: rows(clean), order)
        }
        // At most all judged objects stand before the window, so the rows that may be in it begin
        // at most so many places earlier. Where they begin behind the first row, no judged one is missing.
        let start = max(0, request.offset - total)
        var wanted = stored
        wanted.offset = start
        wanted.limit = request.limit.flatMap { limit in
            // What is more than an Int can count is no limit.
            let (end, isTooFar) = (request.offset - start).addingReportingOverflow(limit)
            return isTooFar ? nil : end
        }
        if let lastKey {
            let isBefore = Filter.Node.compare(
                FilterPath(slot: FilterPath.keySlot), .less, .integer(lastKey))
            wanted.filter = wanted.filter.map { .and($0, isBefore) } ?? isBefore
        }
        let found = try rows(wanted)
        var before = 0
        if start > 0 {
            // How many judged objects stand before the first row.
            before =
                try found.first.flatMap { row in
                    try judged.firstIndex { try order($0, row) == .after }
                } ?? judged.count
        }
        let all = try Self.merged(judged[before...], with: found, order)
            .dropFirst(request.offset - start - before)
        return Array(request.limit.map { all.prefix($0) } ?? all)
    }

    private static func merged<Item>(
        _ judged: ArraySlice<Item>, with rows: [Item], _ order: (Item, Item) throws -> Order
    ) throws -> [Item] {
        if judged.isEmpty { return rows }
        if rows.isEmpty { return Array(judged) }
        var result: [Item] = []
        result.reserveCapacity(rows.count + judged.count)
        var next = judged.startIndex
        for row in rows {
            while next < judged.endIndex, try order(judged[next], row) == .before {
                result.append(judged[next])
                next += 1
            }
            result.append(row)
        }
        return result + judged[next...]
    }

    // MARK: Counting

    func count() throws -> Int {
        let total = try reader.count(counting) + matchCount()
        let rest = max(0, total - request.offset)
        return request.limit.map { min($0, rest) } ?? rest
    }

    /// What is counted of the store.
    var counting: StoreRequest {
        var counting = clean
        counting.limit = nil
        counting.offset = 0
        // A save under way or in doubt may have written what is new.
        let dirty = context.mayBeSaved ? pending.keys : pending.storedKeys
        if !dirty.isEmpty { counting.leavingOut = dirty }
        return counting
    }

    func exists() throws -> Bool {
        if request.limit == 0 { return false }
        if request.offset > 0 { return try count() > 0 }
        if try matchCount() > 0 { return true }
        var wanted = stored
        wanted.limit = nil
        return try reader.exists(wanted)
    }
}
