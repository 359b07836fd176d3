package import RecordStackModel

extension QueryEngine {
    /// Hands over values of each of a request's objects, in its order. Objects are made only where some are
    /// changed in memory.
    package func eachRow(
        of request: StoreRequest, _ operands: [FilterOperand],
        _ body: ([StoredValue]) throws -> Void
    ) throws {
        try context.reading { reader in
            guard differs(in: request, or: operands) else {
                return try reader.values(
                    ValueRequest(of: request, columns: operands.map(ValueColumn.value)), into: body)
            }
            // Evaluate an object in memory if a value is read through a dirty object.
            let view = try PendingView(
                context: context, request: request, reader: reader, readingThrough: operands)
            for row in try view.sortedRows(of: operands) { try body(Array(row.values)) }
        }
    }

    /// The IDs of a request's objects, in its order.
    package func ids(of request: StoreRequest) throws -> [ManagedObjectID] {
        try context.reading { reader in
            if differs(in: request) {
                let view = try PendingView(context: context, request: request, reader: reader)
                return try view.ids()
            }
            let sink = IDSink(coordinator: coordinator)
            try reader.keys(request, into: sink)
            return sink.ids
        }
    }

    /// A row of values for each group of a request's objects.
    package func groups(_ request: ValueRequest) throws -> [[StoredValue]] {
        let operands = GroupSummary.operands(of: request)
        let isWhole = request.objects.limit == nil && request.objects.offset == 0
        return try context.reading { reader in
            if isWhole && !differs(in: request.objects, or: operands) {
                var rows: [[StoredValue]] = []
                try reader.values(request) { rows.append($0) }
                return rows
            }
            var summary = GroupSummary(request)
            if isWhole {
                try eachUnordered(request.objects, operands, reader) {
                    try check($0, of: operands, request.objects)
                    summary.add($0)
                }
            } else {
                try eachRow(of: request.objects, operands) {
                    try check($0, of: operands, request.objects)
                    summary.add($0)
                }
            }
            return try summary.rows()
        }
    }

    /// - Throws: ``RecordStackError/Code/corrupt`` where a value in the store is none of its attribute.
    private func check(
        _ values: [StoredValue], of operands: [FilterOperand], _ request: StoreRequest
    ) throws {
        let entity = coordinator.model.modelEntities[request.entity].description
        for (value, operand) in zip(values, operands) {
            guard case .path(let path) = operand, path.slot != FilterPath.keySlot, !value.isNull
            else { continue }
            let end = path.steps.last?.destination ?? entity
            if !end.slots[path.slot].canBe(value) { throw RecordStackError.wrongNumber }
        }
    }

    /// Hands over values of each object in no order: what SQL can judge comes from there, without objects.
    private func eachUnordered(
        _ request: StoreRequest, _ operands: [FilterOperand], _ reader: any StoreReader,
        _ body: ([StoredValue]) throws -> Void
    ) throws {
        let (view, stored) = try unordered(request, operands, reader)
        for object in try view.matching() { try body(values(of: object, operands)) }
        for request in stored { try reader.values(request, into: body) }
    }

    /// The objects that are judged in memory, and what asks for the values of all others.
    private func unordered(
        _ request: StoreRequest, _ operands: [FilterOperand], _ reader: any StoreReader
    ) throws -> (PendingView, [ValueRequest]) {
        var unsorted = request
        unsorted.sort = []
        let view = try PendingView(
            context: context, request: unsorted, reader: reader, readingThrough: operands)
        let columns = operands.map(ValueColumn.value)
        return (view, view.stored.map { ValueRequest(of: $0, columns: columns) })
    }

    private func values(
        of object: ManagedObject, _ operands: [FilterOperand]
    ) throws -> [StoredValue] {
        let subject = ObjectSubject(object: object, context: context)
        return try operands.map { try $0.value(for: subject) }
    }

    /// Whether something that the request or the values look at is changed in memory.
    private func differs(in request: StoreRequest, or operands: [FilterOperand]) -> Bool {
        if differs(in: request) { return true }
        let probe = StoreRequest(
            entity: request.entity, sort: operands.map { SortTerm($0, isAscending: true) })
        return AffectedRows(context: context).isSome(of: probe)
    }
}

extension QueryEngine {
    /// How values are answered, with what is changed in memory.
    package func explanation(of request: ValueRequest) throws -> RequestExplanation {
        let isWhole = request.objects.limit == nil && request.objects.offset == 0
        let operands =
            request.isAggregate
            ? GroupSummary.operands(of: request) : request.columns.compactMap(\.operand)
        return try context.reading { reader in
            if !differs(in: request.objects, or: operands) {
                if isWhole || !request.isAggregate { return try reader.explanation(of: request) }
                // A window is chosen of objects, and not of groups.
                return try reader.explanation(
                    of: ValueRequest(
                        of: request.objects, columns: operands.map(ValueColumn.value)))
            }
            if request.isAggregate && isWhole {
                let (view, stored) = try unordered(request.objects, operands, reader)
                return try view.explanation(ofUnordered: stored)
            }
            return try PendingView(
                context: context, request: request.objects, reader: reader, readingThrough: operands
            ).explanation(ofValues: operands)
        }
    }
}

/// Takes the IDs of rows, and reads none.
private final class IDSink: RowSink {
    private let coordinator: PersistentStoreCoordinator
    private(set) var ids: [ManagedObjectID] = []

    init(coordinator: PersistentStoreCoordinator) {
        self.coordinator = coordinator
    }

    func wants(key: Int64, version: RowVersion, entity: Int) -> Bool {
        ids.append(coordinator.objectID(entity: entity, key: key))
        return false
    }

    func row(_ cells: borrowing RowCells, key: Int64, version: RowVersion, entity: Int) throws {}
}
