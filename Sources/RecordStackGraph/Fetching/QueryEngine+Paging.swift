package import RecordStackModel

extension QueryEngine {
    /// Returns a page of a request and the number of all its objects, read in one transaction.
    package func page<Entity: ManagedObject>(
        _ number: Int, size: Int, _ request: StoreRequest, as type: Entity.Type
    ) throws -> Page<Entity> {
        guard size >= 1, number >= 0 else {
            throw RecordStackError(
                .misuse,
                "Pages are numbered from 1 and have at least one object: page \(number) "
                    + "of size \(size) was asked for.")
        }
        return try context.reading(transaction: true) { _ in
            let total = try count(request)
            let (start, isTooFar) = (number - 1).multipliedReportingOverflow(by: size)
            if number == 0 || isTooFar || start >= total {
                return Page(items: [], number: number, size: size, total: total)
            }
            var window = request
            window.offset += start
            window.limit = min(size, total - start)
            let items = try fetch(window, as: type)
            return Page(items: items, number: number, size: size, total: total)
        }
    }

    /// Returns the values of a request's objects.
    ///
    /// Objects are created only if some have unsaved changes.
    package func snapshots<Entity: ManagedObject>(
        _ request: StoreRequest, as type: Entity.Type
    ) throws -> [Snapshot<Entity>] {
        try context.reading { reader in
            if differs(in: request) {
                return try fetch(request, as: type).map { try $0.makeSnapshot() }
            }
            let sink = SnapshotSink<Entity>(coordinator: coordinator)
            try reader.rows(request, into: sink)
            return sink.snapshots
        }
    }
}

/// Turns rows into snapshots without creating objects.
private final class SnapshotSink<Entity: ManagedObject>: RowSink {
    let coordinator: PersistentStoreCoordinator
    var snapshots: [Snapshot<Entity>] = []

    init(coordinator: PersistentStoreCoordinator) {
        self.coordinator = coordinator
    }

    func row(_ cells: borrowing RowCells, key: Int64, version: RowVersion, entity: Int) throws {
        var values: [StoredValue] = []
        values.reserveCapacity(cells.count)
        for slot in 0..<cells.count { values.append(cells.storedValue(at: slot)) }
        let id = coordinator.objectID(entity: entity, key: key)
        let description = coordinator.model.modelEntities[entity].description
        for (slot, value) in zip(description.slots, values) where !slot.canBe(value) {
            throw RecordStackError.unexpectedValue(of: slot, entity: description, id)
        }
        snapshots.append(Snapshot(objectID: id, entity: description, values: values))
    }
}
