import RecordStackChanges
import RecordStackModel

extension PublishedChanges {
    /// What was published, and where it ends.
    struct Revision: Sendable {
        /// What was changed of objects.
        var changes = ChangeSet()
        /// The join row edits, by join table.
        var links: ContiguousArray<LinkEdits> = []
        /// What new objects must have and were not given, by entity and key.
        var unset: [Int: [Int64: SlotSet]] = [:]
        /// The identities of the changes of objects that are in the store.
        var origins: [RowKey: [EditOrigin]] = [:]
        /// The serial number of the last join row edit among the changes.
        var linkSerial = 0
        /// The objects whose changes the context has given up while a save was writing them, by entity.
        var givenUp: [Int: GivenUpKeys] = [:]
        /// Larger than that of all revisions before.
        var number = 0

        var isEmpty: Bool { changes.isEmpty && links.allSatisfy(\.isEmpty) }

        /// Leaves out what a save has carried of it. What was edited since is an edit of what the save leaves.
        mutating func subtract(_ committed: CommittedChanges, of number: Int) {
            let remainder = UnsavedRemainder(committed, of: number, givenUp)
            changes = ChangeSet(entities: changes.entities.map(remainder.rest))
            let serial = committed.linkSerials[number] ?? 0
            for joinTable in links.indices { links[joinTable].removeAll(upTo: serial) }
        }
    }
}

/// Tells what of published changes a save has not carried.
private struct UnsavedRemainder {
    private let committed: CommittedChanges
    /// What the context had changed.
    private let level: LayerSnapshot
    /// What is in the store.
    private let saved: LayerSnapshot
    /// Whether the context is the only one that changed anything.
    private let isAuthor: Bool
    /// Whether the context has not seen what others of the save have changed.
    private let isRemote: Bool
    /// The objects that show nothing of what the context had changed, by entity.
    private let givenUp: [Int: GivenUpKeys]

    init(_ committed: CommittedChanges, of number: Int, _ givenUp: [Int: GivenUpKeys]) {
        self.givenUp = givenUp
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

    /// The context's value of a slot that was to be saved.
    private func captured(_ entity: Int, _ key: Int64, _ slot: Int) -> StoredValue? {
        if givenUp[entity]?.contains(key, writtenBy: committed.ticket) == true { return nil }
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

    /// The deletions, of rows as they are now, where nobody else has changed those.
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
