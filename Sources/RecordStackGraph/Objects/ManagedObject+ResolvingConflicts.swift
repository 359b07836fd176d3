import RecordStackChanges
public import RecordStackModel

/// The value that a property keeps when you resolve its conflict.
///
/// ```swift
/// try account.resolveConflict(on: \.note, keeping: .theirs)
/// ```
public enum ConflictChoice<Value> {
    /// This context's value. The next save replaces the other side's value with it.
    case ours
    /// The other side's value: the parent's in a child context, and otherwise the store's.
    case theirs
    /// A new value. The next save replaces the other side's value with it.
    case value(Value)
}

extension ManagedEntity where Self: ManagedObject {
    /// Resolves the conflict of a property that both this context and another context have changed.
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
    /// A refresh, a rollback, a deletion or a merge policy also resolves a conflict. Setting the
    /// other side's value yourself does not resolve the conflict. For example, two contexts that
    /// both increment a number from 1 to 2 have made two changes.
    ///
    /// If you set the property back to its base value, the conflict ends, and the property takes
    /// the other side's value at the next operation. If the other side restores the base value, the
    /// conflict ends, too, and your change stays. Only a torn conflict, which the page Words
    /// defines, remains in that case.
    ///
    /// The call is an operation of the context: it merges the saves of other contexts and reads the
    /// object's row. If the other side has not changed the property, `.ours` does nothing, and
    /// `.theirs` undoes this context's change.
    ///
    /// - Parameters:
    ///   - keyPath: The key path of an attribute or a to-one relationship of the object.
    ///   - choice: The value that the property keeps.
    /// - Throws: ``RecordStackError/Code/notFound`` if the row is gone. Throws
    ///   ``RecordStackError/Code/misuse`` for an object without a context, or for a key path that
    ///   is neither an attribute nor a to-one relationship. Also throws the store's errors.
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
    /// Rebases a slot's change on the other side's value, or replaces the change by that value.
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
                // Also restores the references of the object's former partner.
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

    /// Returns the store's current value of a slot.
    ///
    /// First records the changes of other programs to the row as conflicts.
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
    /// Rebases a slot on a value of the other side, with or without the change made here.
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
