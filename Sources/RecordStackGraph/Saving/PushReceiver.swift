import RecordStackChanges
import RecordStackModel

/// The side of a push that receives a child's changes.
struct PushReceiver: ContextView {
    /// The parent.
    let context: ManagedObjectContext

    /// The objects of the parent that a push needs, loaded before anything changes.
    struct Acceptance {
        /// The objects to update, by entity of the changes, in the order of the updates.
        var updated: [[ManagedObject]] = []
        var deleted: [ManagedObject] = []
        var references: [(object: ManagedObject, slot: Int)] = []
    }

    func prepareToAccept(
        _ changes: ChangeSet, undeleting undeleted: Set<RowKey>
    ) throws -> Acceptance {
        var acceptance = Acceptance()
        for entity in changes.entities {
            acceptance.updated.append(
                try entity.updates.map { update in
                    if let object = try liveObject(update.key, of: entity.entity) {
                        return object
                    }
                    if undeleted.contains(RowKey(entity: entity.entity, key: update.key)),
                        let object = table(of: entity.entity).object(update.key)
                    {
                        return object
                    }
                    let id = coordinator.objectID(entity: entity.entity, key: update.key)
                    throw RecordStackError.conflict([
                        MergeConflict(objectID: id, kind: .deletedElsewhere)
                    ])
                })
            // An object that both sides delete is deleted.
            acceptance.deleted += try entity.deletions.compactMap {
                try liveObject($0.key, of: entity.entity)
            }
        }
        acceptance.references = try context.deleter.references(to: acceptance.deleted)
        return acceptance
    }

    /// Returns the loaded object of a key, or nil if its row is gone.
    ///
    /// The row can be gone even if this context has not merged its deletion.
    func liveObject(_ key: Int64, of entity: Int) throws -> ManagedObject? {
        do {
            guard let object = try context.objectOrFault(key: key, entity: entity) else {
                return nil
            }
            try context.ensureLoaded(object)
            return object
        } catch let error as RecordStackError where error.code == .notFound {
            return nil
        }
    }

    /// Applies a child's changes as changes of this context. Nothing can fail here.
    func accept(
        _ changes: ChangeSet, of child: ManagedObjectContext, with acceptance: Acceptance
    ) {
        for (entity, objects) in zip(changes.entities, acceptance.updated) {
            acceptInsertions(of: entity)
            for (row, update) in entity.updates.enumerated() {
                write(update.slots, of: entity.updated, row: row, to: objects[row])
            }
            context.parentView.takeOrigins(of: entity, from: child)
        }
        let deleted = Set(acceptance.deleted.map(ObjectIdentifier.init))
        for (object, slot) in acceptance.references
        where !deleted.contains(ObjectIdentifier(object)) {
            // The child may have related the object to another one.
            let target = target(of: object, at: slot).map(ObjectIdentifier.init)
            if target.map(deleted.contains) == true { object.setReference(0, at: slot) }
        }
        for changes in changes.links { context.joinRowEdits.accept(changes, from: child) }
        context.joinRowEdits.takeBackOrders(of: changes.links, from: child)
        for object in acceptance.deleted {
            let leaves = object.has(ObjectFlags.inserted | ObjectFlags.orphaned)
            let table = table(of: entityIndex(of: object))
            context.deleter.markDeleted(object)
            if leaves { table.noteLeaving() }
        }
    }

    private func write(
        _ slots: SlotSet, of values: RowBatch, row: Int, to object: ManagedObject
    ) {
        slots.forEach { slot in
            object.willWrite(slot)
            if !object.isWritten(slot) {
                object.keepOldValue(object.storedValue(at: slot), of: slot)
            }
        }
        object.loadValues(values, row: row, slots: slots)
    }

    /// Returns the object that a to-one relationship refers to, if this context holds it.
    private func target(of object: ManagedObject, at slot: Int) -> ManagedObject? {
        let entity = coordinator.model.modelEntities[entityIndex(of: object)]
        return entity.destination(at: slot).flatMap {
            table(of: $0).object(object.storedKey(at: slot))
        }
    }

    private func acceptInsertions(of changes: EntityChanges) {
        let table = table(of: changes.entity)
        let all = SlotSet(all: changes.inserted.width)
        for (row, key) in changes.insertedKeys.enumerated() {
            let type = coordinator.types.types[changes.entity]
            let known = table.object(key)
            let object = known ?? context.insertObject(type, entity: changes.entity, key: key)
            if known == nil { context.didLoad(object) }
            guard let version = changes.reinsertedVersions[key] else {
                all.forEach(object.markWritten)
                object.loadValues(changes.inserted, row: row, slots: all)
                continue
            }
            // A change of this context stays, unless the child has changed the same slot.
            var own = SlotSet()
            if let slots = changes.updatesOfDeleted[key]?.slots {
                all.subtracting(slots).forEach { if object.isWritten($0) { own.insert($0) } }
            }
            object.reinsert(as: version, in: context)
            all.forEach(object.markWritten)
            object.loadValues(changes.inserted, row: row, slots: all.subtracting(own))
        }
    }
}
