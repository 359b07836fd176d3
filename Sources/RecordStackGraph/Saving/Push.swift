import RecordStackChanges
import RecordStackModel

/// Hands a child's changes to its parent.
struct Push: ContextView {
    /// The child.
    let context: ManagedObjectContext
    let parent: ManagedObjectContext

    private var receiver: PushReceiver { PushReceiver(context: parent) }

    /// The result of the merges before a push.
    struct Agreement {
        let changes: ChangeSet
        /// The rows that the child does not delete after all.
        let droppedRows: [RowKey]
        /// The rows that the parent does not delete after all.
        let undeleted: [RowKey]
        let acceptance: PushReceiver.Acceptance
        /// Whether the child's changes had to be merged with other changes.
        let isDecided: Bool
    }

    func run(_ ownValidation: ValidationResult, _ policy: MergePolicy) throws -> SaveOutcome {
        var validation = ValidationResult()
        validation.policy = policy
        let captured = context.changeCapture.captureChanges(&validation)
        for failure in try context.validator.countFailures() { validation.add(failure) }
        validation.add(ownValidation)
        try validation.throwIfAny()
        if captured.isEmpty { return .noChanges }
        let agreed = try agree(on: captured, &validation, policy)
        let changes = agreed.changes
        for row in agreed.droppedRows { context.merger.restore(row.key, entity: row.entity) }
        for row in agreed.undeleted { parent.merger.restore(row.key, entity: row.entity) }
        receiver.accept(changes, of: context, with: agreed.acceptance)
        parent.joinRowEdits.keepRelated(of: context)
        finish(of: changes)
        // The child must show the parent's values in the slots that took them. It has no edits
        // left, so nothing has to be read below an edit.
        if agreed.isDecided {
            context.parentView.followAnew()
            try context.parentView.takeOverAncestors()
        }
        parent.publisher.publishChangesAfterTurn()
        return .saved(changes.summary)
    }

    /// Merges changes with the parent's changes and with rows that other saves have changed.
    ///
    /// No commit is merged meanwhile.
    private func agree(
        on changes: ChangeSet, _ validation: inout ValidationResult, _ policy: MergePolicy
    ) throws -> Agreement {
        let (stale, torn) = (validation.takeStale(), validation.tornAbove)
        return try parent.reading(transaction: true) { _ in
            var resolver = ConflictResolver(
                coordinator: coordinator, policy: policy, deleting: [changes])
            let (moved, held) = try receiver.rowsMoved(under: changes)
            // The rows that were read now come first, because they are newer than the noted ones.
            let resolved = try resolver.resolve(changes, stale: moved + stale)
            let own = parent.changeCapture.uncheckedChanges(concerning: resolved)
            let above = receiver.edits(own, under: resolved)
            var merger = LayerMerger(
                [own, resolved], coordinator: coordinator, policy: policy, torn: torn)
            let merged = try merger.merge(resolved, over: above)
            try merger.throwIfAny()
            let resolutions = merged.resolutions
            try receiver.refuseUpdatesOfDeleted(resolved, but: resolutions)
            let undeleted = resolutions.filter { $1.fate == .undelete }.map(\.key)
            let acceptance = try withExtendedLifetime(held) {
                try receiver.prepareToAccept(merged.changes, undeleting: Set(undeleted))
            }
            return Agreement(
                changes: merged.changes,
                droppedRows: resolutions.filter {
                    $1.fate == .drop && above[$0]?.isDeletion == false
                }
                .map(\.key), undeleted: undeleted, acceptance: acceptance,
                isDecided: !moved.isEmpty || !stale.isEmpty || !resolutions.isEmpty)
        }
    }

    /// Turns the child's edits into edits that it inherits from its parent.
    private func finish(of changes: ChangeSet) {
        for index in context.joinRowEdits.links.indices
        where !context.joinRowEdits.links[index].isEmpty {
            context.joinRowEdits.links[index].removeAll()
        }
        context.joinRowEdits.releaseRelated()
        context.joinRowEdits.lookAtAncestorsLinks()
        for table in tables {
            for object in table.takeDirtyObjects() where object.has(ObjectFlags.dirty) {
                if object.has(ObjectFlags.orphaned) {
                    if !changes.writes(object.keyValue, entity: entityIndex(of: object)) {
                        context.repair.agreeToDeletion(of: object, in: table)
                        continue
                    }
                    context.parentView.showAgain(object)
                }
                object.apply(.pushed)
                object.writtenValue = 0
                object.recordValue?.forgetChanges()
                context.parentView.markInheriting(object, in: table)
            }
        }
        for entity in changes.entities {
            let table = table(of: entity.entity)
            // The store has no row of an object that the parent is going to re-insert.
            for key in entity.reinsertedVersions.keys {
                table.object(key)?.apply(.rowAwaited)
            }
            for key in entity.alreadyDeletedKeys {
                if let object = table.object(key) { context.merger.detach(object, in: table) }
            }
        }
    }
}
