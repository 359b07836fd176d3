import RecordStackChanges
import RecordStackModel

/// Whose changes are being merged, and what the merging context had to do with them.
struct ChangeOrigin {
    /// Whether the context's own changes, or its relatives' below and above, are among them.
    let isOwn: Bool
    /// Whether it is a save, and not a row that is read.
    private let isCommitted: Bool
    /// Whether what others were found to have changed stays a conflict.
    let keepsConflicts: Bool
    /// Whether the context is the only one that changed anything.
    private var isAuthor: Bool
    /// What the context had changed, where several did.
    private var level: LayerSnapshot?
    /// Whether the context is in another isolation than the one that has saved: it has not seen what that changed,
    /// and has made its own changes as anybody else's.
    private var isRemote: Bool
    /// What was written of the context's own changes, where it is remote: its values, but for what hooks have made
    /// of them there.
    private let carried: LayerSnapshot?
    /// The cursors of those whose changes they are.
    private let origins: [Int]
    /// The save's; nil for a row that is read.
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
        ticket = entry.ticket
    }

    /// The same save, for an object that shows nothing of what the context had changed.
    var ofGivenUpObject: ChangeOrigin {
        var source = self
        source.isAuthor = false
        source.level = nil
        source.isRemote = false
        return source
    }

    /// Whether they are those of a context that this one rests on, and not its own.
    func isOfAncestor(of context: ManagedObjectContext) -> Bool {
        !isOwn && context.ancestors.contains { origins.contains($0.origin) }
    }

    /// Whether it is what becomes of a row that the object's context, or an ancestor on whose object it rests, was to
    /// insert again.
    func isReinsertion(of object: ManagedObject, in context: ManagedObjectContext) -> Bool {
        object.awaitsReinsertion
            && (isOwn || !object.has(ObjectFlags.inserted) && isOfAncestor(of: context))
    }

    /// Whether it is a save that the context's own changes, or its relatives', are among.
    var isOwnSave: Bool { isOwn && isCommitted }

    /// The source of the row that is merged with a changed slot.
    var rowOrigin: RowOrigin {
        if keepsConflicts { return .parentRow }
        if !isOwn { return .others }
        return isCommitted ? .ownSave : .refresh
    }

    /// Whether what an object shows and what was saved of it end its changes where they are the same.
    var isAcknowledgement: Bool { isOwn && !isRemote && !keepsConflicts }

    /// Whether it is a save of the context's changes and of nobody else's: what was saved is what the context had, but
    /// for what a policy has decided.
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
        ticket = nil
    }

    /// Changes of other contexts.
    static let others = ChangeOrigin(isOwn: false)
    /// The row that a program asks to see its changes on top of.
    static let base = ChangeOrigin(isOwn: true)
    /// The row that shows when an ancestor's changes of it are gone.
    static let parentRow = ChangeOrigin(isOwn: true, keepsConflicts: true)

    /// Whose change of a row it is, for an object that the context is to delete: somebody else's where the context has
    /// not shown all that was saved.
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

    /// Whose change of a slot it is, for an object that the context has changed there.
    func asSeen(_ slot: Int, of object: ManagedObject, entity: Int) -> ChangeOrigin {
        if !isRemote { return self }
        let own = level?.value(entity: entity, key: object.keyValue, slot: slot)
        return own == nil ? .others : self
    }

    /// What the context showed of a slot when its changes were captured, where something else was saved: by a context
    /// below, or by one in another isolation. The context has not seen that, and what it has changed since is no change
    /// of it. Nil where what was saved is what it showed, or nothing was changed since.
    func overruled(
        _ slot: Int, of object: ManagedObject, entity: Int, by saved: Cell, now: StoredValue
    ) -> StoredValue? {
        guard isOwnSave else { return nil }
        var captured = level?.value(entity: entity, key: object.keyValue, slot: slot)
        // An author's captured value is the saved one, but for what a policy has decided.
        if !isRemote && !isAuthor {
            captured = captured ?? object.recordValue?.oldValue(of: slot)
        }
        // Another isolation may have written other values than the context had.
        let written =
            isRemote ? carried?.value(entity: entity, key: object.keyValue, slot: slot) : captured
        guard let captured, let written else { return nil }
        let acknowledgement = SlotAcknowledgement(
            isUnchanged: captured.isStoredSame(as: now), isSeen: saved.stores(written))
        return acknowledgement == .rebasesOnCaptured ? captured : nil
    }

    /// Whether a written slot has nothing to say against the saved value: it still has the value that
    /// was captured, or, where none was, was not changed at all.
    func isAcknowledged(
        _ slot: Int, of object: ManagedObject, entity: Int, now: StoredValue
    ) -> Bool {
        if let captured = level?.value(entity: entity, key: object.keyValue, slot: slot) {
            return captured.isStoredSame(as: now)
        }
        // The author's captured value is the saved one, with which it was compared already.
        if isAuthor { return false }
        return object.recordValue?.oldValue(of: slot)?.isStoredSame(as: now) ?? false
    }

    /// Whether a deletion that this context took part in leaves nothing of an object's changes: they
    /// were captured with it.
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
