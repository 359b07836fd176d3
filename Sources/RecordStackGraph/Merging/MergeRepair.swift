import RecordStackChanges
import RecordStackModel

/// Repairs what merges have left inconsistent, before an operation looks at the context.
final class MergeRepair: ContextPart {
    var pending: PendingRepairs = []
    /// The keys of objects that other contexts or ancestors have deleted since the last operation, by hierarchy: something
    /// that was changed here may refer to them.
    var deletedKeys: [Int: Set<Int64>] = [:]
}

/// The repairs that are due.
struct PendingRepairs: OptionSet {
    let rawValue: UInt8

    /// A merge has found a property that was changed here and elsewhere.
    static let conflicts = PendingRepairs(rawValue: 1)
    /// Another context has saved something, or a row was read again, since one-to-one relationships were last looked at.
    static let oneToOnes = PendingRepairs(rawValue: 2)
    /// A new object was deleted while a save was under way that may have written it.
    static let discardedInserts = PendingRepairs(rawValue: 4)
    /// Another context has saved something while objects wait here to be deleted: it may refer to them.
    static let references = PendingRepairs(rawValue: 8)
}

extension MergeRepair {
    /// Puts right what merges have left behind, in the operation that is under way.
    func run() throws {
        // Each may leave something for the others: what has lost its only change is as it is above,
        // what is not there any more cannot be referred to, and a value that replaces a change may
        // refer to what is deleted here.
        repeat {
            if pending.contains(.references) {
                // What others have related to it meanwhile goes or stays as the rules say; what a rule
                // denies is left to the save, which then fails.
                let roots = context.ownDeletions.map { DeletionPlanner.entry($0, context) }
                let planner = try context.repairing {
                    try DeletionPlanner(context: context, deleting: roots)
                }
                pending.remove(.references)
                context.deleter.execute(planner)
            }
            takeOverReverted()
            if !deletedKeys.isEmpty {
                nullifyReferencesToDeleted()
                takeOverReverted()
                context.parentView.followAnew()
                try context.parentView.takeOverAncestors()
            }
        } while pending.contains(.references) || !deletedKeys.isEmpty
        try repairOneToOnes()
    }

    /// Whether merges have left something behind.
    var isNeeded: Bool {
        pending.contains(.conflicts) || pending.contains(.references)
            || pending.contains(.oneToOnes) || !deletedKeys.isEmpty
    }

    /// References that were made here to objects that others have deleted become nil, as they would
    /// if they had been made before.
    private func nullifyReferencesToDeleted() {
        let model = coordinator.model
        for table in tables {
            for object in table.dirtyObjects
            where object.has(ObjectFlags.dirty) && !object.isToDelete && !object.isFault {
                for slot in slots(of: object, referringTo: deletedKeys) {
                    if object.has(ObjectFlags.orphaned) {
                        // Nobody's member for now, but it may be shown again.
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

    /// - Parameter keys: those of objects, by hierarchy.
    private func slots(of object: ManagedObject, referringTo keys: [Int: Set<Int64>]) -> [Int] {
        let model = coordinator.model
        return model.modelEntities[entityIndex(of: object)].relationships.compactMap {
            let hierarchy = model.modelEntities[$0.destination].hierarchy
            guard let slot = $0.slot else { return nil }
            return keys[hierarchy]?.contains(object.storedKey(at: slot)) == true ? slot : nil
        }
    }

    /// What was deleted elsewhere under changes made here is nobody's member, but may be shown or saved again: then it
    /// refers to nothing that is deleted here, or goes with it.
    /// - Parameter keys: what is deleted, by hierarchy.
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
                    // Whether it is there at all is decided first.
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

    /// Drops changes that were taken back, and changes to the other side's value where both sides may agree. The other
    /// side's value replaces the latter.
    private func takeOverReverted() {
        if !pending.contains(.conflicts) { return }
        pending.remove(.conflicts)
        for table in tables {
            for object in table.dirtyObjects
            where object.has(ObjectFlags.dirty) && !object.isToDelete {
                if object.has(ObjectFlags.orphaned) {
                    // What a save on its way leaves decides first of what there are changes.
                    if object.hasRowChanges || context.isSavedUnheard {
                        pending.insert(.conflicts)
                    } else {
                        agreeToDeletion(of: object, in: table)
                    }
                } else if !(object.recordValue?.conflicts.isEmpty ?? true) {
                    takeOverReverted(object)
                }
            }
            table.pruneDirtyObjects()
        }
    }

    /// An object was deleted elsewhere while it has changes here: it is shown no more, and its
    /// changes stay until the program gives them up.
    func keepChanges(ofDeleted object: ManagedObject, in table: EntityTable) {
        context.members.leaveMemberKeys(object)
        if object.apply(.orphaned).contains(.orphans) { table.orphans.append(object) }
        deletedKeys[table.hierarchy, default: []].insert(object.keyValue)
        pending.insert(.conflicts)
    }

    /// The changes of an object that was deleted elsewhere are given up. Where an ancestor is to
    /// delete it, it is there again if the ancestor does not.
    func agreeToDeletion(of object: ManagedObject, in table: EntityTable) {
        guard object.has(ObjectFlags.inheritsEdits) else {
            return context.merger.detach(object, in: table)
        }
        context.members.forgetMembers(of: object)
        context.restoreValues(of: object)
        object.apply(.agreedToDeletion)
    }

    private func takeOverReverted(_ object: ManagedObject) {
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
    /// Whether the objects of an entity are deleted with those to which a relationship of theirs refers.
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
