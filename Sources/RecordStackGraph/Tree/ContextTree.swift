import RecordStackChanges
import RecordStackModel

/// What a topmost context shares with all contexts below it in its isolation: they save one after another, because each save
/// writes its ancestors' changes as well, and they read with one reader at a time.
///
/// An isolation may have several. A tree holds none of its contexts.
final class ContextTree {
    /// What the topmost context has changed, for contexts of other isolations; nil where none rests on it.
    var published: PublishedChanges?
    /// The copy that the topmost context is of one in another isolation; nil for one that has changes of its own.
    let standIn: ParentSnapshot?
    /// The save that is being captured: no other of the tree's is under way.
    private(set) var turn: SaveTicket?
    /// The last save whose changes were captured, which may be under way.
    private var ticket: SaveTicket?
    /// The reader of the operation under way, for what the operation has to read besides.
    var reader: (any StoreReader)?
    /// Whether the context of the operation has taken in all commits that the reader sees.
    var isPinned = false
    /// What another thread has read for answering.
    var rehearsal: DryRun?

    init(standingFor shared: PublishedChanges? = nil) { standIn = shared.map(ParentSnapshot.init) }

    /// What is shared between this tree and trees in other isolations.
    private var shared: PublishedChanges? { standIn?.shared ?? published }

    /// Whether contexts in other isolations may rest on this tree, or this one on theirs.
    var isShared: Bool { shared != nil }
}

// MARK: Saves

extension ContextTree {
    /// Announces a save.
    /// - Returns: false where it has to wait for another one.
    func announce(_ ticket: SaveTicket) -> Bool { shared?.claim(ticket) ?? true }

    /// Captures a save's changes.
    func capturing<Result>(_ ticket: SaveTicket, _ body: () throws -> Result) rethrows -> Result {
        turn = ticket
        defer { turn = nil }
        return try body()
    }

    /// A save's changes were captured, and are on their way.
    func begin(_ ticket: SaveTicket) { self.ticket = ticket }

    /// Whether a save of one of its contexts, or of one in another isolation that writes changes of theirs, is being written.
    var isWriting: Bool {
        ticket?.isUnderWay ?? false || shared?.isWriting(otherThan: turn) ?? false
    }

    /// The save that is being written. It may end at any time.
    var saveUnderWay: SaveTicket? {
        if let elsewhere = shared?.saveUnderWay, elsewhere !== turn { return elsewhere }
        return ticket.flatMap { $0.isUnderWay ? $0 : nil }
    }

    /// Whether a save that is being written writes a change, or may come to.
    func mayWrite(_ place: WrittenPlace) -> Bool {
        if let elsewhere = shared?.saveUnderWay, elsewhere !== turn, elsewhere.mayWrite(place) {
            return true
        }
        return ticket?.mayWrite(place) == true
    }
}

/// What a topmost context knows of the context in another isolation whose unsaved changes it is a copy of.
final class ParentSnapshot {
    let shared: PublishedChanges
    /// The edition that was copied.
    private(set) var revision = -1
    /// The number of the other context's last edit of pairs that was copied.
    private(set) var linkSerial = 0
    /// What was copied, before hooks and saves have changed anything of it; nil until something is.
    private(set) var level: LayerSnapshot?
    /// What is published now, as it was looked through last.
    private var publishedSnapshot: (revision: Int, level: LayerSnapshot)?

    init(_ shared: PublishedChanges) { self.shared = shared }

    /// The edition that was published since the last was copied; nil where there is none.
    func nextEdition() -> PublishedChanges.Edition? {
        let edition = shared.edition
        if edition.revision == revision { return nil }
        revision = edition.revision
        publishedSnapshot = nil
        linkSerial = edition.linkSerial
        level = LayerSnapshot(changes: ChangeSet())
        return edition
    }

    /// The edition was copied.
    func take(_ changes: ChangeSet) { level = LayerSnapshot(changes: changes) }

    /// Others have changed the same as the edition, of which nothing was copied therefore.
    func takeNothing() { linkSerial = 0 }

    /// Whether the other context has saved another value of a slot than was copied, and has that no more.
    func isOvertaken(entity: Int, key: Int64, slot: Int, _ taken: StoredValue) -> Bool {
        let edition = shared.edition
        // Once for a save, not for each of its values.
        if publishedSnapshot?.revision != edition.revision {
            publishedSnapshot = (edition.revision, LayerSnapshot(changes: edition.changes))
        }
        let value = publishedSnapshot?.level.value(entity: entity, key: key, slot: slot)
        return value?.isStoredSame(as: taken) != true
    }
}
