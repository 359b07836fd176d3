import RecordStackChanges
import RecordStackModel

/// Publishes a context's unsaved changes for contexts of other isolations.
struct ChangePublisher: ContextView {
    let context: ManagedObjectContext

    /// Publishes the context's unsaved changes. Does nothing if no other isolation reads them.
    @inline(__always)
    func publishChanges() {
        if let published = context.published { publish(in: published) }
    }

    /// Publishes the unsaved changes when the turn of the context's owner ends.
    ///
    /// In the middle of the turn, changes that belong together may be half made. No other context
    /// may see or save them in that state.
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
                discarded: discardedKeys))
    }

    /// The changes of this context, without validation and without a check for conflicts.
    ///
    /// A save validates the changes, and finds conflicts by comparing the changes with the store.
    var uncheckedChanges: ChangeSet { uncheckedChanges() }

    /// Returns the changes of this context, without validation and without a check for conflicts.
    ///
    /// - Parameter countsSetBack: true to include slots that have their old value again while a
    ///   save writes another value. Such a slot changes the value that the save writes, so it stays
    ///   in the revision.
    private func uncheckedChanges(countingSetBack countsSetBack: Bool = false) -> ChangeSet {
        var unused = ValidationResult()
        unused.isChecking = false
        unused.countsSetBack = countsSetBack
        return context.changeCapture.captureChanges(&unused)
    }

    /// The objects whose changes were discarded while a save was writing them, by entity.
    private var discardedKeys: [Int: DiscardedKeys] {
        var keys: [Int: DiscardedKeys] = [:]
        for table in tables where table.discarded != nil {
            for entity in coordinator.model.hierarchies[table.hierarchy].entities {
                keys[entity] = table.discarded
            }
        }
        return keys
    }

    /// The origins of the changes of stored objects, by row.
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

    /// The required slots of new objects that have no value yet, by entity and key.
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
