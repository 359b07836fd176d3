import RecordStackChanges
import RecordStackModel

/// A topmost context's copy of the unsaved changes of a context in another isolation.
final class ParentSnapshot {
    let shared: PublishedChanges
    /// The number of the revision that was copied last.
    private(set) var takenNumber = -1
    /// The serial number of the last join row edit that was copied.
    private(set) var linkSerial = 0
    /// The copied layer before hooks and saves changed it; nil until something is copied.
    private(set) var level: LayerSnapshot?
    /// The published layer that was last looked at, with the number of its revision.
    private var publishedSnapshot: (number: Int, level: LayerSnapshot)?

    init(_ shared: PublishedChanges) { self.shared = shared }

    /// Returns the newest revision and records its number; nil if it was copied already.
    func nextRevision() -> PublishedChanges.Revision? {
        let revision = shared.revision
        if revision.number == takenNumber { return nil }
        takenNumber = revision.number
        publishedSnapshot = nil
        linkSerial = revision.linkSerial
        level = LayerSnapshot(changes: ChangeSet())
        return revision
    }

    /// Records which changes were copied from the revision.
    func take(_ changes: ChangeSet) { level = LayerSnapshot(changes: changes) }

    /// Records that nothing was copied, because another context has changed the same values.
    func takeNothing() { linkSerial = 0 }

    /// Whether the copied value of a slot is out of date in the context that it was copied from.
    func isOvertaken(entity: Int, key: Int64, slot: Int, _ taken: StoredValue) -> Bool {
        let revision = shared.revision
        // The layer is built once for each revision, not for each value.
        if publishedSnapshot?.number != revision.number {
            publishedSnapshot = (revision.number, LayerSnapshot(changes: revision.changes))
        }
        let value = publishedSnapshot?.level.value(entity: entity, key: key, slot: slot)
        return value?.isStoredSame(as: taken) != true
    }
}
