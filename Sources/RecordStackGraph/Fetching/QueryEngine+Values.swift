package import RecordStackModel

extension QueryEngine {
    /// Calls a body with values of each of a request's objects, in the request's order.
    ///
    /// Objects are created only if some have unsaved changes.
    package func eachRow(
        of request: StoreRequest, _ operands: [FilterOperand],
        _ body: ([StoredValue]) throws -> Void
    ) throws {
        try context.reading { reader in
            guard differs(in: request, or: operands) else {
                return try reader.values(
                    ValueRequest(of: request, columns: operands.map(ValueColumn.value)), into: body)
            }
            // An object is evaluated in memory if one of its values is read through a dirty object.
            let view = try PendingView(
                context: context, request: request, reader: reader, readingThrough: operands)
            for row in try view.sortedRows(of: operands) { try body(Array(row.values)) }
        }
    }

    /// Returns the IDs of a request's objects, in the request's order.
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

    /// Returns a row of values for each group of a request's objects.
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

    /// Throws if a stored value does not fit its attribute.
    ///
    /// - Throws: ``RecordStackError/Code/corrupt``.
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

    /// Calls a body with values of each object, in no order.
    ///
    /// SQL returns the values of the rows that it can evaluate, without objects.
    private func eachUnordered(
        _ request: StoreRequest, _ operands: [FilterOperand], _ reader: any StoreReader,
        _ body: ([StoredValue]) throws -> Void
    ) throws {
        let (view, stored) = try unordered(request, operands, reader)
        for object in try view.matching() { try body(values(of: object, operands)) }
        for request in stored { try reader.values(request, into: body) }
    }

    /// Returns the objects to evaluate in memory, and the requests for the values of all others.
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

    /// Whether something that the request or the values read is changed in memory.
    private func differs(in request: StoreRequest, or operands: [FilterOperand]) -> Bool {
        if differs(in: request) { return true }
        let probe = StoreRequest(
            entity: request.entity, sort: operands.map { SortTerm($0, isAscending: true) })
        return AffectedRows(context: context).isSome(of: probe)
    }
}

extension QueryEngine {
    /// Explains how values are read, including unsaved changes.
    package func explanation(of request: ValueRequest) throws -> RequestExplanation {
        let isWhole = request.objects.limit == nil && request.objects.offset == 0
        let operands =
            request.isAggregate
            ? GroupSummary.operands(of: request) : request.columns.compactMap(\.operand)
        return try context.reading { reader in
            if !differs(in: request.objects, or: operands) {
                if isWhole || !request.isAggregate { return try reader.explanation(of: request) }
                // A window limits the objects, not the groups.
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

/// Collects the IDs of rows, and reads no row.
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
