package import RecordStackModel

/// Answers requests with what a context shows: stored rows, and unsaved changes over them.
package struct QueryEngine: ContextView {
    let context: ManagedObjectContext

    /// Returns the objects of a request, in the request's order.
    package func fetch<Entity: ManagedObject>(
        _ request: StoreRequest, as type: Entity.Type
    ) throws -> [Entity] {
        try context.reading { reader in
            context.loader.beginCountingSingleLoads()
            if differs(in: request) { return try fetchMerged(request, reader, as: type) }
            let table = table(of: request.entity)
            if table.holdsMost(of: request) {
                return try fetchKeysFirst(request, table, reader).takeResults(as: type)
            }
            let sink = FetchSink(
                context: context, entity: request.entity, skipsDiffering: false,
                expected: min(request.limit ?? 16, 1_024))
            try reader.rows(request, into: sink)
            table.noteFetch(request, of: sink.count)
            return sink.takeResults(as: type)
        }
    }

    /// Reads the keys, because most of the objects are registered, and then the rows of the rest.
    private func fetchKeysFirst(
        _ request: StoreRequest, _ table: EntityTable, _ reader: any StoreReader
    ) throws -> FetchSink {
        let sink = FetchSink(
            context: context, entity: request.entity, skipsDiffering: false,
            expected: min(request.limit ?? .max, table.map.count), readsLater: true)
        try reader.beginTransaction()
        try reader.keys(request, into: sink)
        try sink.fillIn(from: reader, entity: request.entity)
        table.noteFetch(request, of: sink.count, missing: sink.missing.count)
        return sink
    }

    /// Returns the objects of a request, including unsaved changes.
    private func fetchMerged<Entity: ManagedObject>(
        _ request: StoreRequest, _ reader: any StoreReader, as type: Entity.Type
    ) throws -> [Entity] {
        let view = try PendingView(context: context, request: request, reader: reader)
        // Rows of an entity become objects of its class or of a subclass, and all arrays of class
        // references have the same layout.
        return unsafeBitCast(try view.objects(), to: [Entity].self)
    }

    package func count(_ request: StoreRequest) throws -> Int {
        try context.reading { reader in
            guard differs(in: request) else { return try reader.count(request) }
            return try PendingView(context: context, request: request, reader: reader).count()
        }
    }

    package func exists(_ request: StoreRequest) throws -> Bool {
        try context.reading { reader in
            guard differs(in: request) else { return try reader.exists(request) }
            return try PendingView(context: context, request: request, reader: reader).exists()
        }
    }

    /// Whether something that the request reads is changed in memory.
    func differs(in request: StoreRequest) -> Bool {
        if table(of: request.entity).hasDiffering { return true }
        return AffectedRows(context: context).isSome(of: request)
    }
}
