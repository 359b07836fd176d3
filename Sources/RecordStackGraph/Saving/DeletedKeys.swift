import RecordStackModel

/// The keys of the objects that some changes delete.
///
/// If two sides have set the same value, they are still in conflict: for example, both may have
/// incremented a number. If two sides have cleared a reference to a deleted object, they are not in
/// conflict, because the deletion has cleared the reference.
struct DeletedKeys {
    private var keys: [Int: Set<Int64>] = [:]

    init(of levels: [ChangeSet], in model: ManagedObjectModel) {
        for changes in levels.lazy.flatMap(\.entities) {
            let gone =
                changes.deletions.map(\.key) + changes.discardedInsertKeys
                + changes.alreadyDeletedKeys
            if gone.isEmpty { continue }
            keys[model.modelEntities[changes.entity].hierarchy, default: []].formUnion(gone)
        }
    }

    func contains(_ key: Int64, in hierarchy: Int) -> Bool {
        keys[hierarchy]?.contains(key) == true
    }

    /// True if a former value of a slot refers to one of the deleted objects.
    func contains(
        _ value: StoredValue, at slot: Int, of entity: Int, in model: ManagedObjectModel
    ) -> Bool {
        guard !keys.isEmpty, case .integer(let key) = value,
            let destination = model.modelEntities[entity].destination(at: slot)
        else { return false }
        return contains(key, in: model.modelEntities[destination].hierarchy)
    }
}

/// The keys of the objects that a merged commit deletes, computed when first needed.
struct MergedDeletions {
    let changes: ChangeSet
    let model: ManagedObjectModel
    lazy var keys = DeletedKeys(of: [changes], in: model)
}

extension ManagedObjectContext {
    /// Whether both sides have cleared a reference to an object that was deleted here or elsewhere.
    func agrees(on theirs: Cell, _ slot: Int, of object: ManagedObject, entity: Int) -> Bool {
        let models = coordinator.model.modelEntities
        guard theirs.tag == .null, object.storedValue(at: slot).isNull,
            let destination = models[entity].destination(at: slot),
            case .integer(let key)? = object.recordValue?.oldValue(of: slot)
        else { return false }
        let hierarchy = models[destination].hierarchy
        if repair.deletedKeys[hierarchy]?.contains(key) == true { return true }
        if merger.mergedDeletions?.keys.contains(key, in: hierarchy) == true { return true }
        var context: ManagedObjectContext? = self
        while let next = context {
            let table = next.table(of: destination)
            if table.deletedAbove.contains(key) { return true }
            if let known = table.object(key) { return known.has(ObjectFlags.deleted) }
            context = next.parentContext
        }
        return false
    }
}
