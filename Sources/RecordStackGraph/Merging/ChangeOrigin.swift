import RecordStackChanges
import RecordStackModel

/// The origin of changes that are being merged, as the merging context sees it.
struct ChangeOrigin {
    /// Whether the changes count as the context's own, for example those of a save of its chain.
    let isOwn: Bool
    /// Whether the origin is a save, and not a row that is read.
    private let isCommitted: Bool
    /// Whether conflicts with changes of other contexts stay conflicts.
    let keepsConflicts: Bool
    /// Whether only this context had changes in the save.
    private var isAuthor: Bool
    /// The context's layer in the save; nil if the save has no separate layers.
    private var level: LayerSnapshot?
    /// Whether the context that has saved is in another isolation.
    ///
    /// This context has not seen the changes of that context, and has made its own changes without
    /// them.
    private var isRemote: Bool
    /// The context's own changes as the save has written them, if the context is remote.
    ///
    /// Hooks in the other isolation may have changed their values.
    private let carried: LayerSnapshot?
    /// The cursors of the contexts whose changes were saved.
    private let origins: [Int]
    /// The changes that were saved, so far as changes of other contexts are based on them.
    let savedEdits: Set<EditOrigin>
    /// The ticket of the save; nil for a row that is read.
    let ticket: SaveTicket?

    init(_ entry: CommittedChanges, cursor: Int) {
        isOwn = entry.origins.contains(cursor)
        isRemote = entry.remoteOrigin == cursor
        isCommitted = true
        keepsConflicts = false
        isAuthor = entry.author == cursor
        level = entry.levels[cursor]
        carried = entry.carried
        origins = entry.origins
        savedEdits = entry.savedEdits
        ticket = entry.ticket
    }

    /// The same origin, for an object that shows nothing of the context's captured changes.
    var ofDiscardedObject: ChangeOrigin {
        var source = self
        source.isAuthor = false
        source.level = nil
        source.isRemote = false
        return source
    }

    /// Whether the changes are those of an ancestor's save, and not the context's own.
    func isOfAncestor(of context: ManagedObjectContext) -> Bool {
        !isOwn && context.ancestors.contains { origins.contains($0.origin) }
    }

    /// Whether the save was meant to re-insert the object's row, for the context or an ancestor.
    func isReinsertion(of object: ManagedObject, in context: ManagedObjectContext) -> Bool {
        object.awaitsReinsertion
            && (isOwn || !object.has(ObjectFlags.inserted) && isOfAncestor(of: context))
    }

    /// Whether the origin is a save of the context's own chain.
    var isOwnSave: Bool { isOwn && isCommitted }

    /// The source of the row that is merged with a changed slot.
    var rowOrigin: RowOrigin {
        if keepsConflicts { return .parentRow }
        if !isOwn { return .others }
        return isCommitted ? .ownSave : .refresh
    }

    /// Whether a change ends if the object shows the value that was saved.
    var isAcknowledgement: Bool { isOwn && !isRemote && !keepsConflicts }

    /// Whether the save wrote this context's changes as they were captured, and no other changes.
    var isOfAuthorAlone: Bool { isAcknowledgement && isCommitted && isAuthor && level == nil }

    private init(isOwn: Bool, keepsConflicts: Bool = false) {
        self.isOwn = isOwn
        isCommitted = false
        self.keepsConflicts = keepsConflicts
        isAuthor = false
        isRemote = false
        level = nil
        carried = nil
        origins = []
        savedEdits = []
        ticket = nil
    }

    /// Changes of other contexts.
    static let others = ChangeOrigin(isOwn: false)
    /// The row on which the program wants to see its changes.
    static let base = ChangeOrigin(isOwn: true)
    /// The row that shows when an ancestor's changes of it are gone.
    static let parentRow = ChangeOrigin(isOwn: true, keepsConflicts: true)

    /// Returns the origin of a row's update, for an object that the context is going to delete.
    ///
    /// It is ``others`` if the context has not shown everything that was saved.
    func asSeen(
        _ update: EntityChanges.Update, of object: ManagedObject, entity: Int, in saved: RowBatch,
        row: Int
    ) -> ChangeOrigin {
        if !isOwnSave || isAuthor && !isRemote { return self }
        var isSeen = isRemote ? object.rowVersion == update.version : !object.isFault
        update.slots.forEach { slot in
            let shown =
                isRemote
                ? carried?.value(entity: entity, key: object.keyValue, slot: slot)
                : level?.value(entity: entity, key: object.keyValue, slot: slot)
                    ?? (object.isFault ? nil : object.committedValue(at: slot))
            if shown.map(saved.cell(row: row, slot: slot).stores) != true { isSeen = false }
        }
        return isSeen ? self : .others
    }

    /// Returns the origin of a slot's change, for an object that the context has changed.
    ///
    /// It is ``others`` if another isolation saved the slot and the context had not changed it.
    func asSeen(_ slot: Int, of object: ManagedObject, entity: Int) -> ChangeOrigin {
        if !isRemote { return self }
        let own = level?.value(entity: entity, key: object.keyValue, slot: slot)
        return own == nil ? .others : self
    }

    /// Returns the slot's value that the context showed at the capture, if another one was saved.
    ///
    /// A context below, or a context in another isolation, may have saved another value. This
    /// context has not seen that value, so its later change is not based on that value. The result
    /// is nil if the shown value was saved, or if nothing was changed since the capture.
    func overruled(
        _ slot: Int, of object: ManagedObject, entity: Int, by saved: Cell, now: StoredValue
    ) -> StoredValue? {
        guard isOwnSave else { return nil }
        var captured = level?.value(entity: entity, key: object.keyValue, slot: slot)
        // An author's captured value is the saved one, unless a policy has decided otherwise.
        if !isRemote && !isAuthor {
            captured = captured ?? object.recordValue?.oldValue(of: slot)
        }
        // The other isolation may have written other values than the context had.
        let written =
            isRemote ? carried?.value(entity: entity, key: object.keyValue, slot: slot) : captured
        guard let captured, let written else { return nil }
        let acknowledgement = SlotAcknowledgement(
            isUnchanged: captured.isStoredSame(as: now), isSeen: saved.stores(written))
        return acknowledgement == .rebasesOnCaptured ? captured : nil
    }

    /// True if the save ends the change of a slot.
    ///
    /// The slot then still has the captured value or, if none was captured, its value before the
    /// change.
    func isAcknowledged(
        _ slot: Int, of object: ManagedObject, entity: Int, now: StoredValue
    ) -> Bool {
        if let captured = level?.value(entity: entity, key: object.keyValue, slot: slot) {
            return captured.isStoredSame(as: now)
        }
        // The author's captured value is the saved one, which the caller has already compared.
        if isAuthor { return false }
        return object.recordValue?.oldValue(of: slot)?.isStoredSame(as: now) ?? false
    }

    /// Whether a deletion by this context's chain ends an object's changes.
    ///
    /// It does if the changes were captured with the deletion.
    func isAcknowledgedDeletion(of object: ManagedObject, entity: Int) -> Bool {
        if isAuthor && level?.hasChanged(entity: entity, key: object.keyValue) != true {
            return false
        }
        var isAcknowledged = true
        object.changedSlots.forEach { slot in
            let captured = level?.value(entity: entity, key: object.keyValue, slot: slot)
            if captured?.isStoredSame(as: object.storedValue(at: slot)) != true {
                isAcknowledged = false
            }
        }
        return isAcknowledged
    }
}
