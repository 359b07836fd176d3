import RecordStackModel

// What has to be put right after merges, before an operation looks at the context.
extension ManagedObjectContext {
    /// Puts right what merges have left behind, in the operation that is under way.
    func settleMerges() throws {
        if mayReferToDeleted {
            mayReferToDeleted = false
            try nullifyReferences(to: ownDeletions)
        }
        // Each may leave something for the others: what has lost its only change is as it is above,
        // and what is not there any more cannot be referred to.
        while mayHaveConflicts || !vanished.isEmpty {
            let hadConflicts = takeOverReverted()
            if vanished.isEmpty { break }
            nullifyReferencesToVanished()
            try takeOverAncestors()
            if !hadConflicts && vanished.isEmpty { break }
        }
    }

    /// Whether merges have left something behind.
    var needsSettling: Bool { mayHaveConflicts || mayReferToDeleted || !vanished.isEmpty }

    /// References that were made here to objects that others have deleted lead nowhere, as they would
    /// if they had been made before.
    private func nullifyReferencesToVanished() {
        let model = coordinator.model
        for table in tables {
            for object in table.listed
            where object.has(ObjectFlags.listed)
                && !object.has(ObjectFlags.deleted | ObjectFlags.fault)
            {
                for relationship in model.modelEntities[entityIndex(of: object)].relationships {
                    let hierarchy = model.modelEntities[relationship.destination].hierarchy
                    guard let slot = relationship.slot,
                        vanished[hierarchy]?.contains(object.storedKey(at: slot)) == true
                    else { continue }
                    object.setReference(0, at: slot)
                }
            }
        }
        vanished = [:]
    }

    /// The same before the changes are captured, and what was given up while it was being written.
    func settleBeforeCapture() throws {
        // An operation of its own takes in what the ancestors show now.
        if needsSettling || parent != nil { try reading { _ in } }
        if !mayHaveGivenUp || isWriting { return }
        mayHaveGivenUp = false
        for table in tables {
            for object in table.listed
            where object.has(ObjectFlags.inserted) && object.has(ObjectFlags.deleted) {
                giveUp(object, in: table)
            }
            table.pruneListed()
        }
    }

    var ownDeletions: [ManagedObject] {
        tables.flatMap { table in
            table.listed.filter {
                $0.has(ObjectFlags.listed) && $0.has(ObjectFlags.deleted)
                    && !$0.has(ObjectFlags.inserted)
            }
        }
    }

    /// A change that was taken back is none, and the other side's value takes its place.
    /// - Returns: whether there was anything to look at.
    private func takeOverReverted() -> Bool {
        if !mayHaveConflicts { return false }
        mayHaveConflicts = false
        for table in tables {
            for object in table.listed
            where object.has(ObjectFlags.listed) && !object.has(ObjectFlags.deleted) {
                if object.has(ObjectFlags.deletedThere) {
                    if object.hasChanges {
                        mayHaveConflicts = true
                    } else {
                        giveUp(object, in: table)
                        vanished[table.hierarchy, default: []].insert(object.keyValue)
                    }
                } else if !(object.recordValue?.conflicts.isEmpty ?? true) {
                    takeOverReverted(object)
                }
            }
            table.pruneListed()
        }
        return true
    }

    private func takeOverReverted(_ object: ManagedObject) {
        var taken: [(slot: Int, value: StoredValue)] = []
        for conflict in object.record.conflicts {
            let now = object.storedValue(at: conflict.slot)
            guard object.record.oldValue(of: conflict.slot)?.isStoredSame(as: now) == true else {
                mayHaveConflicts = true
                continue
            }
            taken.append((conflict.slot, conflict.theirs))
            object.unmarkWritten(conflict.slot)
        }
        for (slot, _) in taken { object.record.forget(slot) }
        object.setStoredValues(taken)
        unlistIfClean(object)
    }
}
