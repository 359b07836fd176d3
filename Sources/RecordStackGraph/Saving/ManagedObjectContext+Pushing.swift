import RecordStackChanges
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
    /// - Parameter mergePolicy: what becomes of objects that the parent has changed, too; the context's
    ///   ``mergePolicy`` where it is nil.
    /// - Returns: how many objects were handed over, as a save would count them; nothing was saved.
    /// - Throws: ``RecordStackError/Code/misuse`` where the parent is root, which keeps no changes, or another isolation's;
    ///   ``RecordStackError/Code/validation``; and ``RecordStackError/Code/conflict`` where the
    ///   parent changed the same properties since and the policy lets it fail. Nothing is handed over
    ///   then.
    @discardableResult
    public func push(mergePolicy policy: MergePolicy? = nil) throws -> SaveOutcome {
        guard let parent = parentContext else {
            throw RecordStackError(
                .misuse,
                "The context “\(name)” is a child of \(coordinator.architecture.baseName), which keeps no "
                    + "changes. Save it instead."
            )
        }
        if parent.standIn != nil {
            throw RecordStackError(
                .misuse,
                "The parent of “\(name)” is “\(parent.name)”, which is another isolation's. What the block "
                    + "changes is saved when it returns.")
        }
        try enter()
        let use = beginUse()
        defer { endUse(use) }
        try coordinator.hooks.refuse("push()")
        try waitForSaveUnderWay()
        mergeCommits(isForced: true)
        letAncestorsCatchUp()
        try settleBeforeCapture(onlyHeld: true)
        defer { for context in chain.reversed() { context.callDueHooks() } }
        let ownFindings = try validateBeforeCapture([self])
        return try hooks.holding {
            try parent.hooks.holding {
                try RecordStackError.wording(for: .push) {
                    try push(into: parent, ownFindings, policy ?? mergePolicy)
                }
            }
        }
    }

    private func push(
        into parent: ManagedObjectContext, _ ownFindings: CaptureFindings, _ policy: MergePolicy
    ) throws -> SaveOutcome {
        var findings = CaptureFindings()
        findings.policy = policy
        let captured = captureChanges(&findings)
        for failure in try countFailures() { findings.add(failure) }
        findings.add(ownFindings)
        try findings.throwIfAny()
        if captured.isEmpty { return .noChanges }
        let agreed = try agree(on: captured, with: parent, &findings, policy)
        let changes = agreed.changes
        for row in agreed.spared { restore(row.key, entity: row.entity) }
        for row in agreed.undeleted { parent.restore(row.key, entity: row.entity) }
        parent.accept(changes, of: self, with: agreed.acceptance)
        parent.keepRelated(of: self)
        settleAfterPush(of: changes)
        // What has given way shows what it has given way to. Nothing is changed here any more, below which something had
        // to be read.
        if agreed.isDecided {
            followAnew()
            try takeOverAncestors()
        }
        parent.publishChangesAfterTurn()
        return .saved(changes.summary)
    }

    /// What a push needs of the parent's objects, loaded before anything is changed.
    struct Acceptance {
        /// The objects to be updated, by entity of the changes, in the order of the updates.
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
                        MergeConflict(objectID: id, kind: .deletedThere)
                    ])
                })
            // What is deleted on both sides is deleted.
            acceptance.deleted += try entity.deletions.compactMap {
                try liveObject($0.key, of: entity.entity)
            }
        }
        acceptance.references = try references(to: acceptance.deleted)
        return acceptance
    }

    /// The object of a key, loaded; nil where it is gone, whether or not this context has heard of it.
    func liveObject(_ key: Int64, of entity: Int) throws -> ManagedObject? {
        do {
            guard let object = try objectOrFault(key: key, entity: entity) else { return nil }
            try ensureLoaded(object)
            return object
        } catch let error as RecordStackError where error.code == .notFound {
            return nil
        }
    }

    /// Takes a child's changes over as changes of this context. Nothing can fail here.
    private func accept(
        _ changes: ChangeSet, of child: ManagedObjectContext, with acceptance: Acceptance
    ) {
        for (entity, objects) in zip(changes.entities, acceptance.updated) {
            acceptInsertions(of: entity)
            for (row, update) in entity.updates.enumerated() {
                write(update.slots, of: entity.updated, row: row, to: objects[row])
            }
            takeOrigins(of: entity, from: child)
        }
        let deleted = Set(acceptance.deleted.map(ObjectIdentifier.init))
        for (object, slot) in acceptance.references
        where !deleted.contains(ObjectIdentifier(object)) {
            // The child may have led it elsewhere.
            let target = target(of: object, at: slot).map(ObjectIdentifier.init)
            if target.map(deleted.contains) == true { object.setReference(0, at: slot) }
        }
        for changes in changes.links { accept(changes, from: child) }
        takeBackOrders(of: changes.links, from: child)
        for object in acceptance.deleted {
            let leaves = object.has(ObjectFlags.inserted | ObjectFlags.deletedThere)
            let table = table(of: entityIndex(of: object))
            markDeleted(object)
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

    /// The object that a to-one relationship leads to, where this context holds it.
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
            let object = known ?? insertObject(type, entity: changes.entity, key: key)
            if known == nil { didLoad(object) }
            guard let version = changes.reinsertedVersions[key] else {
                all.forEach(object.markWritten)
                object.loadValues(changes.inserted, row: row, slots: all)
                continue
            }
            // What this context has changed of it stays, where the child has not changed it, too.
            var own = SlotSet()
            if let slots = changes.overtakenUpdates[key]?.slots {
                all.subtracting(slots).forEach { if object.isWritten($0) { own.insert($0) } }
            }
            bringBack(object, version: version)
            all.forEach(object.markWritten)
            object.loadValues(changes.inserted, row: row, slots: all.subtracting(own))
        }
    }

    /// Makes an object, new or one that was deleted elsewhere, one whose row is to be inserted again.
    private func bringBack(_ object: ManagedObject, version: RowVersion) {
        object.recordValue?.forgetChanges()
        let effects = object.apply(.broughtBack)
        object.rowVersion = version
        if !object.has(ObjectFlags.listed) { list(object) }
        if effects.contains(.shows) { reenterMemberKeys(object) }
    }

    /// What was handed over is the parent's now, and this context sees it through the parent.
    private func settleAfterPush(of changes: ChangeSet) {
        for index in links.indices where !links[index].isEmpty { links[index].removeAll() }
        releaseRelated()
        lookAtAncestorsLinks()
        for table in tables {
            for object in table.takeListed() where object.has(ObjectFlags.listed) {
                if object.has(ObjectFlags.deletedThere) {
                    if !changes.writes(object.keyValue, entity: entityIndex(of: object)) {
                        agreeToDeletion(of: object, in: table)
                        continue
                    }
                    showAgain(object)
                }
                object.apply(.pushed)
                object.writtenValue = 0
                object.recordValue?.forgetChanges()
                markOverlaid(object, in: table)
            }
        }
        for entity in changes.entities {
            let table = table(of: entity.entity)
            // What is to be inserted again is in no store.
            for key in entity.reinsertedVersions.keys {
                table.object(key)?.apply(.rowAwaited)
            }
            for key in entity.goneKeys {
                if let object = table.object(key) { giveUp(object, in: table) }
            }
        }
    }
}
