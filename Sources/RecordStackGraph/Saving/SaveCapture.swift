import RecordStackModel

/// The changes of a save, captured by value.
///
/// The program can edit objects while the save is written.
struct SaveCapture: Sendable {
    let changes: ChangeSet
    /// The author's changes as they were captured, if conflicts have changed ``changes`` since.
    private(set) var captured: ChangeSet?
    /// The cursors of all contexts of the saved chain, also of those without changes.
    let origins: [Int]
    /// The layers of those contexts by cursor; empty if the changes are a single layer.
    let levels: [Int: LayerSnapshot]
    /// The changes that the save contains, so far as changes of other contexts are based on them.
    let savedEdits: Set<EditOrigin>
    /// The cursor of the only context that has changes; nil if several contexts have changes.
    let author: Int?
    /// The serial number of the last join row edit to save, by cursor.
    let linkSerials: [Int: Int]
    /// The cursor of a context in another isolation whose published changes are saved.
    let remoteOrigin: Int?
    /// The changes of ``remoteOrigin`` as the save writes them.
    var carried: LayerSnapshot?
    let ticket: SaveTicket
    let policy: MergePolicy
    var options: SaveOptions = []

    /// Whether changes of a context are saved, by the number of its cursor.
    func isOwn(_ number: Int) -> Bool { origins.contains(number) || remoteOrigin == number }

    /// Returns the same save with the changes that result from resolved conflicts.
    func replacing(_ changes: ChangeSet) -> SaveCapture {
        var (levels, captured) = (levels, captured)
        if let author, captured != nil || levels.isEmpty, changes.hasResolvedRows {
            // Conflicts may be found twice: by the context when it captures, and by the store.
            let own = captured ?? self.changes
            captured = own
            levels[author] = LayerSnapshot(changes: own, resolvedIn: changes)
        }
        return SaveCapture(
            changes: changes, captured: captured, origins: origins, levels: levels,
            savedEdits: savedEdits, author: author, linkSerials: linkSerials,
            remoteOrigin: remoteOrigin, carried: carried, ticket: ticket, policy: policy,
            options: options)
    }

    /// Returns the same save, for a context that is not used any more and does not merge it.
    func withoutOrigins() -> SaveCapture {
        SaveCapture(
            changes: changes, origins: [], levels: [:], savedEdits: savedEdits, author: nil,
            linkSerials: [:], remoteOrigin: nil, ticket: ticket, policy: policy, options: options)
    }
}
