public import RecordStackModel

extension ManagedObjectContext {
    /// Hands this context's changes to its parent, where they are changes to be saved. Nothing is
    /// written.
    ///
    /// ```swift
    /// let form = context.newChild()
    /// // … edit objects in `form` …
    /// try form.push()              // or drop the form, and nothing happened
    /// try await context.save()
    /// ```
    ///
    /// - Returns: how many objects were handed over, as a save would count them; nothing was saved.
    /// - Throws: ``RecordStackError/Code/misuse`` where the parent is root, which keeps no changes;
    ///   ``RecordStackError/Code/validation``; and ``RecordStackError/Code/conflict`` where the
    ///   parent changed the same properties since. Nothing is handed over then.
    @discardableResult
    public func push() throws -> SaveOutcome {
        guard let parent else {
            throw RecordStackError(
                .misuse,
                "The context “\(name)” is a child of root, which keeps no changes. Save it instead."
            )
        }
        try enter()
        try waitForSaveUnderWay()
        drainChain()
        try settleBeforeCapture()
        let changes = try captureChanges()
        if changes.isEmpty { return .noChanges }
        try checkPush(changes, into: parent)
        for entity in changes.entities { try parent.accept(entity) }
        settleAfterPush()
        return .saved(changes.summary)
    }

    private func checkPush(_ changes: ChangeSet, into parent: ManagedObjectContext) throws {
        // Laying the changes over the parent's finds what does not fit.
        let above = try parent.captureChanges(checking: false)
        _ = try ChangeFlattener(coordinator: coordinator).flatten([above, changes])
        // What contexts further up have deleted is no change of the parent's own.
        let gone = changes.entities.flatMap { entity in
            entity.updates.filter { parent.isKnownToBeGone(key: $0.key, entity: entity.entity) }
                .map { coordinator.objectID(entity: entity.entity, key: $0.key) }
        }
        if gone.isEmpty { return }
        throw RecordStackError.conflict(
            gone.map { MergeConflict(objectID: $0, kind: .deletedThere) })
    }

    /// Takes a child's changes over as changes of this context.
    private func accept(_ changes: EntityChanges) throws {
        let table = table(of: changes.entity)
        let all = SlotSet(all: changes.inserted.width)
        for (row, key) in changes.insertedKeys.enumerated() {
            let type = coordinator.types.types[changes.entity]
            let object =
                table.object(key) ?? insertObject(type, entity: changes.entity, key: key)
            all.forEach(object.markWritten)
            object.load(changes.inserted, row: row, slots: all)
        }
        for (row, update) in changes.updates.enumerated() {
            guard let object = try objectOrFault(key: update.key, entity: changes.entity) else {
                continue
            }
            try ensureLoaded(object)
            update.slots.forEach { slot in
                object.willWrite(slot)
                if !object.isWritten(slot) {
                    object.keepOldValue(object.storedValue(at: slot), of: slot)
                }
            }
            object.load(changes.updated, row: row, slots: update.slots)
        }
        for deletion in changes.deletions {
            if let object = try objectOrFault(key: deletion.key, entity: changes.entity) {
                try delete(object)
            }
        }
    }

    /// What was handed over is the parent's now, and this context sees it through the parent.
    private func settleAfterPush() {
        for table in tables {
            let listed = table.listed
            table.listed = []
            for object in listed where object.has(ObjectFlags.listed) {
                object.bits &= ~(ObjectFlags.listed | ObjectFlags.inserted)
                object.writtenValue = 0
                object.recordValue?.forgetChanges()
                markOverlaid(object, in: table)
            }
        }
    }
}
