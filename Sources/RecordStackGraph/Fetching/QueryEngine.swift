package import RecordStackModel

/// Answers requests with what a context shows: the store's rows, and what was changed over them.
package struct QueryEngine: ContextView {
    let context: ManagedObjectContext

    /// The objects of a request, in its order.
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

    /// Asks for the keys alone, because most of the objects are held already, and for the rows of
    /// the rest.
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

    /// The objects of a request, with what is changed in memory.
    private func fetchMerged<Entity: ManagedObject>(
        _ request: StoreRequest, _ reader: any StoreReader, as type: Entity.Type
    ) throws -> [Entity] {
        let view = try PendingView(context: context, request: request, reader: reader)
        // The rows of an entity are made objects of its class or of one that inherits from it, and arrays of class
        // references have one layout.
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

    /// Whether something that the request looks at is changed in memory.
    func differs(in request: StoreRequest) -> Bool {
        if table(of: request.entity).hasDiffering { return true }
        return AffectedRows(context: context).isSome(of: request)
    }
}
