import RecordStackModel
import Synchronization

/// What a context has changed and not saved, for contexts of other isolations that rest on it.
///
/// The context publishes it, in its isolation; those that rest on it take it, in theirs. A save of either writes
/// what was published, so that no two of them are under way at a time.
final class SharedChanges: Sendable {
    private struct State {
        var edition = Edition()
        /// The last save of the context, or of one that rests on it.
        var ticket: SaveTicket?
    }

    /// What was published, and where it ends.
    struct Edition: Sendable {
        var changes = ChangeSet()
        /// What new objects must have and were not given, by entity and key.
        var unset: [Int: [Int64: SlotSet]] = [:]
        /// The number of the last edit of pairs among the changes.
        var linkSerial = 0
        /// Larger than that of all editions before.
        fileprivate(set) var revision = 0
    }

    /// The number of the context's inbox, by which it learns what was saved of its changes.
    let number: Int
    /// The context's.
    let monitor: ContextMonitor
    private let state = Mutex(State())

    init(of context: ManagedObjectContext) {
        number = context.inbox.number
        monitor = context.monitor
    }

    /// What is published at this moment.
    var edition: Edition { state.withLock { $0.edition } }

    /// Whether anything is published. Asked before what would be published is looked for.
    var isEmpty: Bool { state.withLock { $0.edition.changes.isEmpty } }

    func publish(_ edition: Edition) {
        state.withLock { state in
            if edition.changes.isEmpty && state.edition.changes.isEmpty { return }
            let revision = state.edition.revision + 1
            state.edition = edition
            state.edition.revision = revision
        }
    }

    // MARK: Saves

    /// Whether a save of the context, or of one that rests on it, is under way.
    var isWriting: Bool { state.withLock { $0.ticket?.isUnderWay ?? false } }

    /// Makes a save the one that is under way.
    /// - Returns: false where another one is.
    func claim(_ ticket: SaveTicket) -> Bool {
        state.withLock { state in
            if state.ticket?.isUnderWay == true { return false }
            state.ticket = ticket
            return true
        }
    }

    /// What was saved is published no more, until the context has heard of it. Called by the writer.
    func settle(_ committed: CommittedChanges) {
        guard committed.origins.contains(number) else { return }
        state.withLock { state in
            if state.edition.changes.isEmpty { return }
            let level = committed.levels[number] ?? CapturedLevel(changes: committed.changes)
            let keepsLinks = state.edition.linkSerial > committed.linkSerials[number] ?? 0
            state.edition.changes = state.edition.changes.leavingOut(links: !keepsLinks) {
                level.hasChanged(entity: $0, key: $1)
            }
            state.edition.revision += 1
        }
    }
}

extension ChangeSet {
    /// The changes without those of objects that are left out, and of pairs where those are.
    fileprivate func leavingOut(
        links leavesOutLinks: Bool, _ isLeftOut: (_ entity: Int, _ key: Int64) -> Bool
    ) -> ChangeSet {
        ChangeSet(
            entities: entities.map { changes in
                changes.leavingOut { isLeftOut(changes.entity, $0) }
            }, links: leavesOutLinks ? [] : links)
    }
}

extension EntityChanges {
    fileprivate func leavingOut(_ isLeftOut: (Int64) -> Bool) -> EntityChanges {
        var result = EntityChanges(
            entity: entity, width: inserted.width, insertions: insertedKeys.count,
            updates: updates.count)
        for (row, key) in insertedKeys.enumerated() where !isLeftOut(key) {
            result.insertedKeys.append(key)
            result.inserted.append(values: inserted.values(row: row))
        }
        for (row, update) in updates.enumerated() where !isLeftOut(update.key) {
            result.updates.append(update)
            result.updated.append(values: updated.values(row: row))
            result.bases.append(values: bases.values(row: row))
        }
        result.deletions = deletions.filter { !isLeftOut($0.key) }
        return result
    }
}
