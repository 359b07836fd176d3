import RecordStackModel
import Synchronization

/// The rows that were deleted and inserted again, and are there still, as far as the coordinator has heard.
///
/// A save takes what is gone from what its context had heard of when it was captured; when its turn comes, it may be
/// there again.
final class ReturnedRows: Sendable {
    private let keys = Mutex<[Int: Set<Int64>]>([:])
    private let isEmpty = Atomic(true)

    /// Notes what was committed.
    func note(_ changes: ChangeSet, _ model: ManagedObjectModel) {
        for entity in changes.entities {
            let returned = entity.reinsertedVersions.keys
            if returned.isEmpty && isEmpty.load(ordering: .acquiring) { continue }
            let hierarchy = model.modelEntities[entity.entity].hierarchy
            keys.withLock { keys in
                if let last = entity.emptiedUpTo {
                    keys[hierarchy] = keys[hierarchy]?.filter { $0 > last }
                }
                keys[hierarchy]?.subtract(entity.deletions.map(\.key))
                keys[hierarchy]?.subtract(entity.goneKeys)
                keys[hierarchy, default: []].formUnion(returned)
                isEmpty.store(keys.values.allSatisfy(\.isEmpty), ordering: .releasing)
            }
        }
    }

    /// Changes in which nothing is gone that is there again.
    func restored(in changes: ChangeSet, _ model: ManagedObjectModel) -> ChangeSet {
        if isEmpty.load(ordering: .acquiring) { return changes }
        guard changes.entities.contains(where: { !$0.goneKeys.isEmpty }) else { return changes }
        let keys = keys.withLock { $0 }
        var entities = changes.entities
        for place in entities.indices {
            let hierarchy = model.modelEntities[entities[place].entity].hierarchy
            entities[place].goneKeys.removeAll { keys[hierarchy]?.contains($0) == true }
        }
        return ChangeSet(
            entities: entities, links: changes.links, isPartial: changes.isPartial)
    }
}
