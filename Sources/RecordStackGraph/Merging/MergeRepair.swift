import RecordStackChanges
import RecordStackModel

/// Repairs what merges have left inconsistent, before an operation uses the context.
final class MergeRepair: ContextPart {
    var pending: PendingRepairs = []
    /// The keys of objects that other contexts or ancestors have deleted, by hierarchy.
    ///
    /// They were deleted since the last operation. Changes of this context may refer to them.
    var deletedKeys: [Int: Set<Int64>] = [:]
}

/// The repairs that are due.
struct PendingRepairs: OptionSet {
    let rawValue: UInt8

    /// A merge has found a property that was changed here and elsewhere.
    static let conflicts = PendingRepairs(rawValue: 1)
    /// Another context has saved, or a row was read again, since the last check of one-to-ones.
    static let oneToOnes = PendingRepairs(rawValue: 2)
    /// A new object was deleted while a running save may have written it.
    static let discardedInserts = PendingRepairs(rawValue: 4)
    /// Another context may have saved a reference to an object that is deleted here.
    static let references = PendingRepairs(rawValue: 8)
}

extension MergeRepair {
    /// Runs the repairs that are due, in the operation that is under way.
    func run() throws {
        // One repair may make another one necessary. An object that has lost its only change shows
        // the parent's values. An object that is gone cannot be referred to. A value that replaces
        // a change may refer to an object that is deleted here.
        repeat {
            if pending.contains(.references) {
                // The delete rules apply to objects that other contexts have related to the deleted
                // ones. If a rule denies the deletion, the save fails later.
                let roots = context.ownDeletions.map { DeletionPlanner.entry($0, context) }
                let planner = try context.repairing {
                    try DeletionPlanner(context: context, deleting: roots)
                }
                pending.remove(.references)
                context.deleter.execute(planner)
            }
            endRevertedConflicts()
            if !deletedKeys.isEmpty {
                nullifyReferencesToDeleted()
                endRevertedConflicts()
                context.parentView.followAnew()
                try context.parentView.takeOverAncestors()
            }
        } while pending.contains(.references) || !deletedKeys.isEmpty
        try repairOneToOnes()
    }

    /// Whether merges have left something to repair.
    var isNeeded: Bool {
        pending.contains(.conflicts) || pending.contains(.references)
            || pending.contains(.oneToOnes) || !deletedKeys.isEmpty
    }

    /// Clears references that were made here to objects that were deleted elsewhere.
    ///
    /// The deletion would have cleared these references, too, if they had existed then.
    private func nullifyReferencesToDeleted() {
        let model = coordinator.model
        for table in tables {
            for object in table.dirtyObjects
            where object.has(ObjectFlags.dirty) && !object.isToDelete && !object.isFault {
                for slot in slots(of: object, referringTo: deletedKeys) {
                    if object.has(ObjectFlags.orphaned) {
                        // The object is in no relationship for now, but it may show again.
                        if object.isWritten(slot) { object.setStoredValues([(slot, .null)]) }
                    } else {
                        object.setReference(0, at: slot)
                    }
                }
            }
        }
        for (hierarchy, keys) in deletedKeys {
            let root = model.hierarchies[hierarchy].root
            if context.joinRowEdits.links.contains(where: { !$0.isEmpty }) {
                for key in keys { context.joinRowEdits.dropLinks(ofKey: key, entity: root) }
            }
        }
        deletedKeys = [:]
    }

    /// Returns the slots of an object that refer to some objects.
    ///
    /// - Parameter keys: the keys of those objects, by hierarchy.
    private func slots(of object: ManagedObject, referringTo keys: [Int: Set<Int64>]) -> [Int] {
        let model = coordinator.model
        return model.modelEntities[entityIndex(of: object)].relationships.compactMap {
            let hierarchy = model.modelEntities[$0.destination].hierarchy
            guard let slot = $0.slot else { return nil }
            return keys[hierarchy]?.contains(object.storedKey(at: slot)) == true ? slot : nil
        }
    }

    /// Clears the references of orphaned objects to objects that are deleted here.
    ///
    /// An orphaned object is in no relationship, but it may show again or be saved. It must not
    /// refer to a deleted object then. If a delete rule cascades to it, its changes are discarded
    /// instead.
    ///
    /// - Parameter keys: the keys of the deleted objects, by hierarchy.
    func clearReferencesOfOrphans(from keys: [Int: Set<Int64>]) {
        let model = coordinator.model
        for table in tables where !table.orphans.isEmpty {
            table.pruneOrphans()
            for object in table.orphans {
                let description = type(of: object).entityDescription
                for slot in slots(of: object, referringTo: keys) {
                    if model.cascades(to: entityIndex(of: object), by: slot) {
                        agreeToDeletion(of: object, in: table)
                        break
                    }
                    // A required reference stays: it is decided first whether the object exists at
                    // all.
                    if !description.slotsToCheck.contains(slot) { object.setKey(0, at: slot) }
                }
            }
            table.pruneDirtyObjects()
        }
    }

    func discardInserts() {
        if !pending.contains(.discardedInserts) || context.tree.isWriting { return }
        pending.remove(.discardedInserts)
        for table in tables {
            for object in table.dirtyObjects
            where object.has(ObjectFlags.inserted) && object.has(ObjectFlags.deleted) {
                context.merger.detach(object, in: table)
            }
            table.pruneDirtyObjects()
        }
    }

    /// Ends the conflicts of changes that were reverted, and takes the other side's values.
    ///
    /// An orphaned object without changes gives way to the deletion.
    private func endRevertedConflicts() {
        if !pending.contains(.conflicts) { return }
        pending.remove(.conflicts)
        for table in tables {
            for object in table.dirtyObjects
            where object.has(ObjectFlags.dirty) && !object.isToDelete {
                if object.has(ObjectFlags.orphaned) {
                    // A running save decides first which changes the object still has.
                    if object.hasRowChanges || context.isSavedUnheard {
                        pending.insert(.conflicts)
                    } else {
                        agreeToDeletion(of: object, in: table)
                    }
                } else if !(object.recordValue?.conflicts.isEmpty ?? true) {
                    endRevertedConflicts(object)
                }
            }
            table.pruneDirtyObjects()
        }
    }

    /// Orphans an object that was deleted elsewhere while it has changes here.
    ///
    /// The object does not show any more. Its changes stay until the program discards them.
    func keepChanges(ofDeleted object: ManagedObject, in table: EntityTable) {
        context.members.leaveMemberKeys(object)
        if object.apply(.orphaned).contains(.orphans) { table.orphans.append(object) }
        deletedKeys[table.hierarchy, default: []].insert(object.keyValue)
        pending.insert(.conflicts)
    }

    /// Discards the changes of an object that was deleted elsewhere.
    ///
    /// If the deletion is an ancestor's and is undone, the object shows again.
    func agreeToDeletion(of object: ManagedObject, in table: EntityTable) {
        guard object.has(ObjectFlags.inheritsEdits) else {
            return context.merger.detach(object, in: table)
        }
        context.members.forgetMembers(of: object)
        context.restoreValues(of: object)
        object.apply(.agreedToDeletion)
    }

    private func endRevertedConflicts(_ object: ManagedObject) {
        var taken: [(slot: Int, value: StoredValue)] = []
        let above = context.parentView.changedAbove(object).flatMap { $0.isFault ? nil : $0 }
        for conflict in object.record.conflicts {
            let now = object.storedValue(at: conflict.slot)
            let theirs = above?.storedValue(at: conflict.slot) ?? conflict.theirs
            let isReverted =
                object.record.oldValue(of: conflict.slot)?.isStoredSame(as: now) == true
                && !context.isBeingSaved(conflict.slot, of: object, entity: entityIndex(of: object))
            guard isReverted else {
                pending.insert(.conflicts)
                continue
            }
            taken.append((conflict.slot, theirs))
            object.unmarkWritten(conflict.slot)
        }
        if taken.isEmpty { return }
        object.tellIfWatched()
        for (slot, _) in taken { object.record.forget(slot) }
        object.setStoredValues(taken)
        pending.insert(.references)
        pending.insert(.oneToOnes)
        context.merger.markCleanIfUnchanged(object)
    }
}

extension ManagedObjectModel {
    /// Whether the objects of an entity are deleted with the object to which their slot refers.
    fileprivate func cascades(to entity: Int, by slot: Int) -> Bool {
        guard
            let relationship = modelEntities[entity].relationships.first(where: { $0.slot == slot }
            ),
            let inverse = relationship.inverse
        else { return false }
        let relationships = modelEntities[relationship.destination].description.relationships
        return relationships.indices.contains(inverse)
            && relationships[inverse].deleteRule == .cascade
    }
}
