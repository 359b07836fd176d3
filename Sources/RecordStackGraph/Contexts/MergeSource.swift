import RecordStackModel

/// Whose changes are being merged, and what the merging context had to do with them.
struct MergeSource {
    /// Whether the context's own changes, or its relatives' below and above, are among them.
    let isOwn: Bool
    /// Whether it is a save, and not a row that is read.
    private let isCommitted: Bool
    /// Whether what others were found to have changed stays a conflict.
    let keepsConflicts: Bool
    /// Whether the context is the only one that changed anything.
    private let isAuthor: Bool
    /// What the context had changed, where several did.
    private let level: CapturedLevel?
    /// Whether the context is in another isolation than the one that has saved: it has not seen what that changed,
    /// and has made its own changes as anybody else's.
    private let isRemote: Bool
    /// What was written of the context's own changes, where it is remote: its values, but for what hooks have made
    /// of them there.
    private let carried: CapturedLevel?
    /// The inboxes of those whose changes they are.
    private let origins: Set<Int>

    init(_ entry: CommittedChanges, inbox: Int) {
        isOwn = entry.origins.contains(inbox)
        isRemote = entry.remoteOrigin == inbox
        isCommitted = true
        keepsConflicts = false
        isAuthor = entry.author == inbox
        level = entry.levels[inbox]
        carried = entry.carried
        origins = entry.origins
    }

    /// Whether they are those of a context that this one rests on, and not its own.
    func isOfAncestor(of context: ManagedObjectContext) -> Bool {
        !isOwn && context.chain.dropFirst().contains { origins.contains($0.origin) }
    }

    /// Whether it is what becomes of a row that the object's context, or an ancestor on whose object it rests, was to
    /// insert again.
    func isReturn(of object: ManagedObject, in context: ManagedObjectContext) -> Bool {
        object.comesBack
            && (isOwn || !object.has(ObjectFlags.inserted) && isOfAncestor(of: context))
    }

    /// Whether it is a save that the context's own changes, or its relatives', are among.
    var isOwnSave: Bool { isOwn && isCommitted }

    /// Whether what an object shows and what was saved of it end its changes where they are the same.
    var isAcknowledgement: Bool { isOwn && !isRemote && !keepsConflicts }

    private init(isOwn: Bool, keepsConflicts: Bool = false) {
        self.isOwn = isOwn
        isCommitted = false
        self.keepsConflicts = keepsConflicts
        isAuthor = false
        isRemote = false
        level = nil
        carried = nil
        origins = []
    }

    /// Changes of other contexts.
    static let others = MergeSource(isOwn: false)
    /// The row that a program asks to see its changes on top of.
    static let base = MergeSource(isOwn: true)
    /// The row that shows when an ancestor's changes of it are gone.
    static let uncovered = MergeSource(isOwn: true, keepsConflicts: true)

    /// Whose change of a row it is, for an object that the context is to delete.
    func asSeen(
        _ update: EntityChanges.Update, of object: ManagedObject, entity: Int, in saved: RowBatch,
        row: Int
    ) -> MergeSource {
        if !isRemote { return self }
        var isSeen = object.rowVersion == update.version
        update.slots.forEach { slot in
            let own = carried?.value(entity: entity, key: object.keyValue, slot: slot)
            if own.map(saved.cell(row: row, slot: slot).stores) != true { isSeen = false }
        }
        return isSeen ? self : .others
    }

    /// Whose change of a slot it is, for an object that the context has changed there.
    func asSeen(_ slot: Int, of object: ManagedObject, entity: Int) -> MergeSource {
        if !isRemote { return self }
        let own = level?.value(entity: entity, key: object.keyValue, slot: slot)
        return own == nil ? .others : self
    }

    /// The context's value of a slot, where a context in another isolation was to save it and has changed it, which
    /// this one has not seen.
    func overruled(
        _ slot: Int, of object: ManagedObject, entity: Int, by saved: Cell
    ) -> StoredValue? {
        guard isRemote,
            let own = carried?.value(entity: entity, key: object.keyValue, slot: slot),
            !saved.stores(own)
        else { return nil }
        return level?.value(entity: entity, key: object.keyValue, slot: slot)
    }

    /// Whether a written slot has nothing to say against the saved value: it still has the value that
    /// was captured, or, where none was, was not changed at all.
    func isSettled(
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
    func isSettledDeletion(of object: ManagedObject, entity: Int) -> Bool {
        if isAuthor && level?.hasChanged(entity: entity, key: object.keyValue) != true {
            return false
        }
        var isSettled = true
        object.changedSlots.forEach { slot in
            let captured = level?.value(entity: entity, key: object.keyValue, slot: slot)
            if captured?.isStoredSame(as: object.storedValue(at: slot)) != true {
                isSettled = false
            }
        }
        return isSettled
    }
}
