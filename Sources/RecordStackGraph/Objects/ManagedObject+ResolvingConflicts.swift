import RecordStackChanges
public import RecordStackModel

/// What a property keeps when a conflict is decided.
///
/// ```swift
/// try account.resolveConflict(on: \.note, keeping: .theirs)
/// ```
public enum ConflictChoice<Value> {
    /// The value that the object has in its context. The next save overwrites the other one.
    case ours
    /// The value of the other side: the store's, or, in a child context, the parent's.
    case theirs
    /// A new value, which the next save writes over the other one.
    case value(Value)
}

extension ManagedEntity where Self: ManagedObject {
    /// Decides the conflict of one property that was changed here and elsewhere.
    ///
    /// ```swift
    /// do {
    ///     try context.saveAndWait()
    /// } catch let error as RecordStackError where error.code == .conflict {
    ///     try team.resolveConflict(on: \.budget, keeping: .value(team.budget + received))
    ///     try context.saveAndWait()
    /// }
    /// ```
    ///
    /// A conflict ends only by a decision: by this call, by a refresh, a rollback, a deletion or a merge policy. That
    /// two values are equal decides nothing, because two contexts that count the same number up have made two steps.
    ///
    /// The call is an operation of the context: it takes in what other contexts have saved, and reads the object's row.
    /// Where the other side has not changed the property, `.ours` changes nothing, and `.theirs` undoes the change made
    /// here.
    ///
    /// - Parameters:
    ///   - keyPath: an attribute or a to-one relationship of the object.
    ///   - choice: what the property keeps.
    /// - Throws: ``RecordStackError/Code/notFound`` where the row is gone; ``RecordStackError/Code/misuse`` for a
    ///   property that is not the entity's own, and for an object without a context; what the store says.
    public func resolveConflict<Value>(
        on keyPath: ReferenceWritableKeyPath<Self, Value>, keeping choice: ConflictChoice<Value>
    ) throws {
        let property = Self.entityDescription.anyProperty(at: keyPath)
        let slot: Int? =
            switch property {
            case .attribute(let attribute)?: attribute.slot
            case .relationship(let relationship)?: relationship.slot
            case nil: nil
            }
        guard let slot else {
            throw RecordStackError(
                .misuse,
                "The key path is no attribute and no to-one relationship of \(Self.entityDescription.name). Only these "
                    + "can be in conflict.", objectID: objectID)
        }
        guard let context = managedObjectContext else {
            throw absent("It has no conflict.")
        }
        switch choice {
        case .ours: try context.decideConflict(of: self, slot, keepsOurs: true)
        case .theirs: try context.decideConflict(of: self, slot, keepsOurs: false)
        case .value(let value):
            try context.decideConflict(of: self, slot, keepsOurs: true)
            self[keyPath: keyPath] = value
        }
    }
}

extension ManagedObjectContext {
    /// Makes the change of a slot one of what the other side has, or gives it up for that.
    fileprivate func decideConflict(
        of object: ManagedObject, _ slot: Int, keepsOurs: Bool
    ) throws {
        let use = beginUse()
        defer { endUse(use) }
        let table = table(of: entityIndex(of: object))
        try reading { reader in
            if object.has(ObjectFlags.inserted) { return }
            if object.has(ObjectFlags.orphaned) { throw Self.rowIsGone(object.objectID) }
            if object.isFault { try loadFault(object) }
            let theirs: StoredValue
            if parentView.isChangedAbove(slot, in: object),
                let above = parentView.changedAbove(object)
            {
                theirs = above.storedValue(at: slot)
            } else {
                theirs = try storedSide(of: object, slot, reader)
            }
            if keepsOurs {
                object.adopt(theirs, at: slot, keepsOurs: true)
            } else {
                // The references of the object's former partner are restored, too.
                repair.keepingOneToOnes(of: object) {
                    object.adopt(theirs, at: slot, keepsOurs: false)
                }
            }
            merger.markCleanIfUnchanged(object)
        }
        parentView.followAnew()
        table.pruneDirtyObjects()
        publisher.publishChangesAfterTurn()
    }

    /// What the store has of a slot now. What other programs have changed of the row is noted as conflicts first.
    private func storedSide(
        of object: ManagedObject, _ slot: Int, _ reader: any StoreReader
    ) throws -> StoredValue {
        if !isSavedUnheard {
            let sink = RefreshSink(context: self)
            sink.source = .others
            let root = coordinator.rootEntity(of: entityIndex(of: object))
            try reader.rows(.keys([object.keyValue], entity: root), into: sink)
            if !sink.found.contains(object.keyValue) { throw Self.rowIsGone(object.objectID) }
        }
        let conflict = object.recordValue?.conflicts.first { $0.slot == slot }
        return conflict?.theirs ?? object.committedValue(at: slot)
    }
}

extension ManagedObject {
    /// Rests a slot on a value of the other side, with or without the change made here.
    fileprivate final func adopt(_ theirs: StoredValue, at slot: Int, keepsOurs: Bool) {
        guard isWritten(slot) else { return }
        tellIfWatched()
        if keepsOurs && !storedValue(at: slot).isStoredSame(as: theirs) {
            record.setOldValue(theirs, of: slot)
            record.forgetConflict(slot)
            anchor.context?.parentView.noteBaseOrigin(of: slot, in: self)
            return
        }
        unmarkWritten(slot)
        record.forget(slot)
        setStoredValues([(slot, theirs)])
    }
}
