package import RecordStackModel

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
    /// The rows that SQL judges.
    private(set) var stored: StoreRequest
    /// The objects judged in memory for which the filter is true, in the request's order.
    private(set) var matching: [ManagedObject] = []
    /// How many objects were judged in memory.
    private(set) var judged = 0

    init(context: ManagedObjectContext, request: StoreRequest, reader: any StoreReader) throws {
        self.context = context
        self.request = request
        self.reader = reader
        stored = request
        stored.excluding = context.table(of: request.entity).differingKeys
        try reader.beginTransaction()
        var judged = context.differingObjects(of: context.coordinator.model.kinds(of: request))
        if let affected = try affectedRows() {
            judged += try loadAffected(affected)
            stored.filter = request.filter.map { .and($0, .not(affected)) } ?? .not(affected)
        }
        self.judged = judged.count
        matching = try context.sorted(judged.filter(isMatching), by: request.sort)
    }

    private func isMatching(_ object: ManagedObject) throws -> Bool {
        if object.has(ObjectFlags.deleted) { return false }
        guard let filter = request.filter else { return true }
        return try filter.isTrue(for: ObjectSubject(object: object, context: context))
    }

    /// A filter for the rows that have to be judged in memory although they are as the store has them; nil
    /// where there is none.
    private func affectedRows() throws -> Filter.Node? {
        let terms = try AffectedRows(context: context).terms(of: request)
        return terms.isEmpty ? nil : Filter.Node.anyOf(terms)
    }

    private func loadAffected(_ filter: Filter.Node) throws -> [ManagedObject] {
        var rows = StoreRequest(entity: request.entity, filter: filter)
        rows.includesSubentities = request.includesSubentities
        rows.excluding = stored.excluding
        return try fetch(rows)
    }

    private func fetch(_ request: StoreRequest) throws -> [ManagedObject] {
        let sink = FetchSink(
            context: context, entity: request.entity, skipsDiffering: true, expected: 16)
        try reader.rows(request, into: sink)
        return sink.takeResults(as: ManagedObject.self)
    }

    /// The objects of the request's window, in its order.
    func objects() throws -> [ManagedObject] {
        try window(of: matching, rows: fetch) { try context.order($0, $1, by: request.sort) }
    }

    /// The keys of the objects of the request's window, in its order. Makes no objects of rows.
    func keys() throws -> [Int64] {
        if matching.isEmpty {
            let sink = KeySink()
            try reader.keys(stored, into: sink)
            return sink.keys
        }
        let judged = try matching.map { try SortedKey($0, in: context, by: request.sort) }
        return try window(of: judged, rows: sortedKeys) { $0.order($1, by: request.sort) }.map(
            \.key)
    }

    private func sortedKeys(_ request: StoreRequest) throws -> [SortedKey] {
        let key = FilterOperand.path(FilterPath(slot: FilterPath.keySlot))
        let columns = (request.sort.map(\.operand) + [key]).map(ValueColumn.value)
        var rows: [SortedKey] = []
        try reader.values(ValueRequest(of: request, columns: columns)) {
            rows.append(SortedKey($0))
        }
        return rows
    }

    /// What stands in the request's window, of judged objects and rows that are in its order.
    private func window<Item>(
        of judged: [Item], rows: (StoreRequest) throws -> [Item],
        order: (Item, Item) throws -> Order
    ) throws -> [Item] {
        if request.limit == nil && request.offset == 0 {
            return try Self.merged(judged[...], with: rows(stored), order)
        }
        if request.limit == 0 { return [] }
        // At most all judged objects stand before the window, so the rows that may be in it begin
        // at most so many places earlier.
        let start = max(0, request.offset - judged.count)
        var wanted = stored
        wanted.offset = start
        wanted.limit = request.limit.flatMap { limit in
            // What is more than an Int can count is no limit.
            let (end, isTooFar) = (request.offset - start).addingReportingOverflow(limit)
            return isTooFar ? nil : end
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
        var rest = judged
        for row in rows {
            while let next = rest.first, try order(next, row) == .before {
                result.append(next)
                rest.removeFirst()
            }
            result.append(row)
        }
        return result + rest
    }

    /// All rows are counted; the window is cut of the sum.
    mutating func countAll() {
        stored.limit = nil
        stored.offset = 0
    }

    mutating func count() throws -> Int {
        countAll()
        let total = try reader.count(stored) + matching.count
        let rest = max(0, total - request.offset)
        return request.limit.map { min($0, rest) } ?? rest
    }
}

extension ManagedObjectContext {
    /// How a request is answered, with what is changed in memory.
    package func explanation(of request: StoreRequest) throws -> RequestExplanation {
        try reading { reader in
            guard differs(in: request) else { return try reader.explanation(of: request) }
            let view = try PendingView(context: self, request: request, reader: reader)
            return try reader.explanation(of: view.stored).withPendingObjects(view.judged)
        }
    }

    /// How the objects of a request are counted, with what is changed in memory.
    package func explanation(ofCounting request: StoreRequest) throws -> RequestExplanation {
        try reading { reader in
            guard differs(in: request) else {
                return try reader.explanation(ofCounting: request)
            }
            var view = try PendingView(context: self, request: request, reader: reader)
            view.countAll()
            return try reader.explanation(ofCounting: view.stored)
                .withPendingObjects(view.judged)
        }
    }

    /// The objects of an entity, and of those that inherit from it, that differ from the store, deleted
    /// ones included.
    func differingObjects(of entity: Int) -> [ManagedObject] {
        differingObjects(of: coordinator.model.modelEntities[entity].kinds)
    }

    /// The objects of some entities of one hierarchy that differ from the store, deleted ones included.
    func differingObjects(of kinds: [Int]) -> [ManagedObject] {
        guard let first = kinds.first else { return [] }
        return table(of: first).differing.filter { kinds.contains(entityIndex(of: $0)) }
    }
}
