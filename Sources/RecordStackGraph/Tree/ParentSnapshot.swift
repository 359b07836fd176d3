import RecordStackChanges
import RecordStackModel

/// A topmost context's copy of the unsaved changes of a context in another isolation.
final class ParentSnapshot {
    let shared: PublishedChanges
    /// The revision that was copied.
    private(set) var takenNumber = -1
    /// The serial number of the other context's last join row edit that was copied.
    private(set) var linkSerial = 0
    /// What was copied, before hooks and saves have changed anything of it; nil until something is.
    private(set) var level: LayerSnapshot?
    /// What is published now, as it was looked through last.
    private var publishedSnapshot: (number: Int, level: LayerSnapshot)?

    init(_ shared: PublishedChanges) { self.shared = shared }

    /// The revision that was published since the last was copied; nil where there is none.
    func nextRevision() -> PublishedChanges.Revision? {
        let revision = shared.revision
        if revision.number == takenNumber { return nil }
        takenNumber = revision.number
        publishedSnapshot = nil
        linkSerial = revision.linkSerial
        level = LayerSnapshot(changes: ChangeSet())
        return revision
    }

    /// The revision was copied.
    func take(_ changes: ChangeSet) { level = LayerSnapshot(changes: changes) }

    /// Others have changed the same as the revision, of which nothing was copied therefore.
    func takeNothing() { linkSerial = 0 }

    /// Whether the other context has saved another value of a slot than was copied, and has that no more.
    func isOvertaken(entity: Int, key: Int64, slot: Int, _ taken: StoredValue) -> Bool {
        let revision = shared.revision
        // Once for a save, not for each of its values.
        if publishedSnapshot?.number != revision.number {
            publishedSnapshot = (revision.number, LayerSnapshot(changes: revision.changes))
        }
        let value = publishedSnapshot?.level.value(entity: entity, key: key, slot: slot)
        return value?.isStoredSame(as: taken) != true
    }
}
