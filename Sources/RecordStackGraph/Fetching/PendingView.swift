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
        return terms.isEmpty ? nil : terms.dropFirst().reduce(terms[0]) { .or($0, $1) }
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
    mutating func objects() throws -> [ManagedObject] {
        if request.limit == nil && request.offset == 0 { return try merged(with: fetch(stored)) }
        if request.limit == 0 { return [] }
        // At most all judged objects stand before the window, so the rows that may be in it begin
        // at most so many places earlier.
        let start = max(0, request.offset - matching.count)
        stored.offset = start
        stored.limit = request.limit.flatMap { limit in
            // What is more than an Int can count is no limit.
            let (end, isTooFar) = (request.offset - start).addingReportingOverflow(limit)
            return isTooFar ? nil : end
        }
        let rows = try fetch(stored)
        let before = try start == 0 ? 0 : rows.first.map { try position(of: $0) } ?? matching.count
        matching.removeFirst(before)
        let all = try merged(with: rows).dropFirst(request.offset - start - before)
        return Array(request.limit.map { all.prefix($0) } ?? all)
    }

    /// How many judged objects stand before a row.
    private func position(of row: ManagedObject) throws -> Int {
        try matching.firstIndex { try context.order($0, row, by: request.sort) == .after }
            ?? matching.count
    }

    private func merged(with rows: [ManagedObject]) throws -> [ManagedObject] {
        if matching.isEmpty { return rows }
        if rows.isEmpty { return matching }
        var result: [ManagedObject] = []
        result.reserveCapacity(rows.count + matching.count)
        var next = 0
        for row in rows {
            while next < matching.count,
                try context.order(matching[next], row, by: request.sort) == .before
            {
                result.append(matching[next])
                next += 1
            }
            result.append(row)
        }
        return result + matching[next...]
    }

    mutating func count() throws -> Int {
        stored.limit = nil
        stored.offset = 0
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
