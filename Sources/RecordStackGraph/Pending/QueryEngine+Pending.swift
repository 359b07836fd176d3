package import RecordStackModel

extension QueryEngine {
    /// Returns the indexes of a table's dirty objects, brought up to date.
    func pendingRows(of table: EntityTable) throws -> PendingRows {
        // A clean table keeps no indexes.
        if !table.hasDiffering { return PendingRows(of: table) }
        let pending = table.pending ?? PendingRows(of: table)
        table.pending = pending
        try pending.catchUp(in: table, context)
        return pending
    }

    /// Returns the first dirty object by key that has a value in a slot and satisfies a condition.
    func pendingObject(
        _ entity: Int, _ slot: Int, _ value: StoredValue,
        where isWanted: (ManagedObject) throws -> Bool
    ) throws -> ManagedObject? {
        let table = table(of: entity)
        let subject = PendingIndex.Subject(entity: entity, slot: slot)
        let index = try pendingRows(of: table).index(of: subject, in: table, context)
        return try index.first(of: value, in: table, where: isWanted)
    }

    /// Returns the first dirty object by key that matches a request's filter and a condition.
    func pendingObject(
        of request: StoreRequest, where isWanted: (ManagedObject) throws -> Bool
    ) throws -> ManagedObject? {
        let table = table(of: request.entity)
        if !table.hasDiffering { return nil }
        let found = try pendingRows(of: table).matches(
            of: request, isSorted: true, in: table, context)
        let keys = found.isSorted ? found.keys : ContiguousArray(found.keys.sorted())[...]
        for key in keys {
            if let object = table.object(key), try isWanted(object) { return object }
        }
        return nil
    }

    /// Returns the keys of the dirty objects that match a request, in no order.
    func pendingKeys(of request: StoreRequest) throws -> [Int64] {
        let table = table(of: request.entity)
        let found = try pendingRows(of: table).matches(
            of: request, isSorted: false, in: table, context)
        return Array(found.keys)
    }

    /// Returns the keys of a request's window, in its order. Creates no objects.
    func keys(of request: StoreRequest) throws -> [Int64] {
        try context.withReader { reader in
            if differs(in: request) {
                return try PendingView(context: context, request: request, reader: reader).keys()
            }
            let sink = KeySink()
            try reader.keys(request, into: sink)
            return sink.keys
        }
    }

    /// Returns a filter for the clean rows to evaluate in memory; nil if there are none.
    ///
    /// These rows refer to dirty objects.
    ///
    /// - Parameter conditions: the conditions of the request's filter that may read dirty objects.
    func affectedRows(
        of request: StoreRequest, reading conditions: [Filter.Node], _ operands: [FilterOperand]
    ) throws -> Filter.Node? {
        var probe = request
        probe.filter = conditions.isEmpty ? nil : .allOf(conditions)
        probe.sort += operands.map { SortTerm($0, isAscending: true) }
        let terms = try AffectedRows(context: context).terms(of: probe)
        return terms.isEmpty ? nil : Filter.Node.anyOf(terms)
    }

    /// Fetches the clean objects of a request.
    func fetchLeavingOut(
        _ request: StoreRequest, _ reader: any StoreReader
    ) throws -> [ManagedObject] {
        let sink = FetchSink(
            context: context, entity: request.entity, skipsDiffering: true, expected: 16)
        try reader.rows(request, into: sink)
        return sink.takeResults(as: ManagedObject.self)
    }

    func isMatching(_ object: ManagedObject, _ filter: Filter.Node?) throws -> Bool {
        if object.has(ObjectFlags.deleted) { return false }
        context.monitor.counters.objectsJudged.add(1)
        return try filter?.isTrue(for: ObjectSubject(object: object, context: context)) ?? true
    }

    /// Explains how a request is answered, including its dirty objects.
    package func explanation(of request: StoreRequest) throws -> RequestExplanation {
        try context.reading { reader in
            guard differs(in: request) else { return try reader.explanation(of: request) }
            return try PendingView(context: context, request: request, reader: reader)
                .explanationOfObjects()
        }
    }

    /// Explains how a request is counted, including its dirty objects.
    package func explanation(ofCounting request: StoreRequest) throws -> RequestExplanation {
        try context.reading { reader in
            guard differs(in: request) else {
                return try reader.explanation(ofCounting: request)
            }
            return try PendingView(context: context, request: request, reader: reader)
                .explanationOfCount()
        }
    }

    /// Returns the name of a slot's attribute or relationship.
    func name(ofSlot slot: Int, of entity: Int) -> String {
        coordinator.model.modelEntities[entity].description.slots[slot].name
    }

    /// Returns the dirty objects of an entity and its subentities, deleted ones included.
    func differingObjects(of entity: Int) -> [ManagedObject] {
        differingObjects(of: coordinator.model.modelEntities[entity].kinds)
    }

    /// Returns the dirty objects of some entities of one hierarchy, deleted ones included.
    func differingObjects(of kinds: [Int]) -> [ManagedObject] {
        guard let first = kinds.first else { return [] }
        return table(of: first).differing.filter { kinds.contains(entityIndex(of: $0)) }
    }
}
