import RecordStackChanges
import RecordStackModel

extension PublishedChanges {
    /// A state of the published changes, and its number.
    struct Revision: Sendable {
        /// The changes of objects.
        var changes = ChangeSet()
        /// The join row edits, by join table.
        var links: ContiguousArray<LinkEdits> = []
        /// The required slots of new objects that have no value yet, by entity and key.
        var unset: [Int: [Int64: SlotSet]] = [:]
        /// The origins of the changes of stored objects, by row.
        var origins: [RowKey: [EditOrigin]] = [:]
        /// The serial number of the last join row edit among the changes.
        var linkSerial = 0
        /// The objects whose changes were discarded while a save was writing them, by entity.
        var discarded: [Int: DiscardedKeys] = [:]
        /// The number of the revision. Later revisions have larger numbers.
        var number = 0

        var isEmpty: Bool { changes.isEmpty && links.allSatisfy(\.isEmpty) }

        /// Removes the changes that a save has written.
        ///
        /// Later edits become edits of the saved values.
        mutating func subtract(_ committed: CommittedChanges, of number: Int) {
            let remainder = UnsavedRemainder(committed, of: number, discarded)
            changes = ChangeSet(entities: changes.entities.map(remainder.rest))
            let serial = committed.linkSerials[number] ?? 0
            for joinTable in links.indices { links[joinTable].removeAll(upTo: serial) }
        }
    }
}

/// Computes the part of published changes that a save has not written.
private struct UnsavedRemainder {
    private let committed: CommittedChanges
    /// The layer of the context.
    private let level: LayerSnapshot
    /// The values that were saved.
    private let saved: LayerSnapshot
    /// True if only this context had changes.
    private let isAuthor: Bool
    /// True if the context has not seen the changes of the save's other contexts.
    private let isRemote: Bool
    /// The objects that do not show the context's captured changes any more, by entity.
    private let discarded: [Int: DiscardedKeys]

    init(_ committed: CommittedChanges, of number: Int, _ discarded: [Int: DiscardedKeys]) {
        self.discarded = discarded
        self.committed = committed
        let saved = LayerSnapshot(changes: committed.changes)
        self.saved = saved
        isAuthor = committed.author == number
        level = committed.levels[number] ?? (isAuthor ? saved : LayerSnapshot(changes: ChangeSet()))
        isRemote = committed.remoteOrigin == number
    }

    func rest(of changes: EntityChanges) -> EntityChanges {
        var rest = EntityChanges(
            entity: changes.entity, width: changes.inserted.width,
            insertions: changes.insertedKeys.count, updates: changes.updates.count)
        let all = SlotSet(all: changes.inserted.width)
        let written = committed.changes.entities.first { $0.entity == changes.entity }
        let reinserted = written?.reinsertedVersions ?? [:]
        for (row, key) in changes.insertedKeys.enumerated() {
            let values = changes.inserted.values(row: row)
            if level.hasChanged(entity: changes.entity, key: key) {
                let version = reinserted[key] ?? .first
                let update = EntityChanges.Update(key: key, version: version, slots: all)
                add(update, values, bases: values, to: &rest)
            } else {
                rest.insertedKeys.append(key)
                rest.inserted.append(values: values)
                rest.reinsertedVersions[key] = changes.reinsertedVersions[key]
            }
        }
        for (row, update) in changes.updates.enumerated() {
            let values = changes.updated.values(row: row)
            add(update, values, bases: changes.bases.values(row: row), to: &rest)
        }
        if !changes.deletions.isEmpty { rest.deletions = deletions(of: changes) }
        return rest
    }

    /// Adds an update without the values that were saved.
    private func add(
        _ update: EntityChanges.Update, _ values: [StoredValue], bases: [StoredValue],
        to rest: inout EntityChanges
    ) {
        var (slots, bases) = (SlotSet(), bases)
        update.slots.forEach { slot in
            if let captured = captured(rest.entity, update.key, slot) {
                let saved = self.saved.value(entity: rest.entity, key: update.key, slot: slot)
                let isSeen = saved.map { self.isSeen($0, rest.entity, update.key, slot) } ?? false
                switch SlotAcknowledgement(
                    isUnchanged: captured.isStoredSame(as: values[slot]), isSeen: isSeen)
                {
                case .ends: return
                case .rebasesOnSaved: bases[slot] = saved ?? captured
                case .rebasesOnCaptured: bases[slot] = captured
                }
            }
            slots.insert(slot)
        }
        if slots.isEmpty { return }
        rest.updates.append(
            EntityChanges.Update(key: update.key, version: update.version, slots: slots))
        rest.updated.append(values: values)
        rest.bases.append(values: bases)
    }

    /// Returns the value of a slot that the context had when the save was captured.
    ///
    /// It is nil if the save does not contain the context's change of the slot, or if the change
    /// was discarded.
    private func captured(_ entity: Int, _ key: Int64, _ slot: Int) -> StoredValue? {
        if discarded[entity]?.contains(key, writtenBy: committed.ticket) == true { return nil }
        return level.value(entity: entity, key: key, slot: slot)
            ?? (isAuthor ? saved.value(entity: entity, key: key, slot: slot) : nil)
    }

    private func isSeen(_ now: StoredValue, _ entity: Int, _ key: Int64, _ slot: Int) -> Bool {
        let own =
            isRemote
            ? committed.carried?.value(entity: entity, key: key, slot: slot)
            : captured(entity, key, slot)
        return own?.isStoredSame(as: now) == true
    }

    /// Returns the deletions, with the new versions of rows that only this context has changed.
    private func deletions(of changes: EntityChanges) -> [EntityChanges.Deletion] {
        let written = committed.changes.entities.first { $0.entity == changes.entity }
        guard let written else { return changes.deletions }
        let rows = Dictionary(
            written.updates.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { a, _ in a })
        return changes.deletions.map { deletion in
            guard let row = rows[deletion.key] else { return deletion }
            let update = written.updates[row]
            var isKnown = update.version == deletion.version
            update.slots.forEach { slot in
                let now = written.updated.storedValue(row: row, slot: slot)
                isKnown = isKnown && isSeen(now, changes.entity, update.key, slot)
            }
            if !isKnown { return deletion }
            return EntityChanges.Deletion(
                key: deletion.key, version: update.version.next, seen: deletion.seen)
        }
    }
}
