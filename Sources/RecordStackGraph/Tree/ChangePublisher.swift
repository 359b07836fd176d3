import RecordStackChanges
import RecordStackModel

/// Tells the contexts of other isolations that rest on a context what it has changed.
struct ChangePublisher: ContextView {
    let context: ManagedObjectContext

    /// Tells those that rest on this context what it has changed; nothing where nobody does.
    @inline(__always)
    func publishChanges() {
        if let published = context.published { publish(in: published) }
    }

    /// The same when the turn of the context's owner ends: in the middle of it there may be half of what is changed
    /// together, which nobody else is to see or to save.
    @inline(__always)
    func publishChangesAfterTurn() {
        if let published = context.published, hasPublishedOrChanged(published) {
            published.publishAfterTurn()
        }
    }

    private func hasPublishedOrChanged(_ shared: PublishedChanges) -> Bool {
        tables.contains { !$0.dirtyObjects.isEmpty }
            || context.joinRowEdits.links.contains { !$0.isEmpty }
            || !shared.isEmpty
    }

    private func publish(in shared: PublishedChanges) {
        shared.beginPublishing()
        if !hasPublishedOrChanged(shared) { return }
        shared.publish(
            PublishedChanges.Revision(
                changes: ChangeSet(
                    entities: uncheckedChanges(countingSetBack: context.isSavedUnheard).entities),
                links: context.joinRowEdits.links, unset: unsetSlots, origins: editOrigins,
                linkSerial: context.joinRowEdits.linkSerial,
                givenUp: givenUpKeys))
    }

    /// The changes of this context, whatever is wrong with them: that is found when they are saved, and conflicts by
    /// comparing them with the store.
    var uncheckedChanges: ChangeSet { uncheckedChanges() }

    /// - Parameter countsSetBack: whether what was set back while a save writes it is among them: that leaves of an revision
    ///   what is a change of what it has written.
    private func uncheckedChanges(countingSetBack countsSetBack: Bool = false) -> ChangeSet {
        var unused = ValidationResult()
        unused.isChecking = false
        unused.countsSetBack = countsSetBack
        return context.changeCapture.captureChanges(&unused)
    }

    /// The objects whose changes were given up while a save was writing them, by entity.
    private var givenUpKeys: [Int: GivenUpKeys] {
        var keys: [Int: GivenUpKeys] = [:]
        for table in tables where table.givenUp != nil {
            for entity in coordinator.model.hierarchies[table.hierarchy].entities {
                keys[entity] = table.givenUp
            }
        }
        return keys
    }

    /// The identities of the changes of objects that are in the store.
    private var editOrigins: [RowKey: [EditOrigin]] {
        var origins: [RowKey: [EditOrigin]] = [:]
        for table in tables {
            for object in table.dirtyObjects
            where object.has(ObjectFlags.dirty) && !object.has(ObjectFlags.inserted)
                && !object.isToDelete
            {
                let record = object.record
                _ = record.origin
                origins[RowKey(entity: entityIndex(of: object), key: object.keyValue)] =
                    record.origins
            }
        }
        return origins
    }

    /// What new objects must have and were not given, by entity and key.
    private var unsetSlots: [Int: [Int64: SlotSet]] {
        var unset: [Int: [Int64: SlotSet]] = [:]
        for table in tables {
            for object in table.dirtyObjects where object.has(ObjectFlags.inserted) {
                let entity = entityIndex(of: object)
                var slots = SlotSet()
                coordinator.model.modelEntities[entity].description.slotsToSet.forEach { slot in
                    if !object.isWritten(slot) { slots.insert(slot) }
                }
                if !slots.isEmpty { unset[entity, default: [:]][object.keyValue] = slots }
            }
        }
        return unset
    }
}
