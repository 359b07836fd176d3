import RecordStackModel

/// What a save writes: captured by value, so that the program may go on editing meanwhile.
struct SaveCapture: Sendable {
    let changes: ChangeSet
    /// What was captured of the only context that changed anything, where conflicts have made something else of it.
    private(set) var captured: ChangeSet?
    /// The cursors of the contexts whose changes these are.
    let origins: [Int]
    /// What each of them changed, where more than one did.
    let levels: [Int: LayerSnapshot]
    /// The cursor of the only context that changed anything; nil where several did.
    let author: Int?
    /// The serial number of the last join row edit that is saved, by cursor.
    let linkSerials: [Int: Int]
    /// The cursor of a context in another isolation, of whose changes some went along.
    let remoteOrigin: Int?
    /// What went along of that one's.
    var carried: LayerSnapshot?
    let ticket: SaveTicket
    let policy: MergePolicy
    var options: SaveOptions = []

    /// Whether changes of a context are among them, by the number of its cursor.
    func isOwn(_ number: Int) -> Bool { origins.contains(number) || remoteOrigin == number }

    /// The same save with what conflicts have made of its changes.
    func replacing(_ changes: ChangeSet) -> SaveCapture {
        var (levels, captured) = (levels, captured)
        if let author, captured != nil || levels.isEmpty, changes.hasResolvedRows {
            // Conflicts may be found twice: by the context when it captures, and by the store.
            let own = captured ?? self.changes
            captured = own
            levels[author] = LayerSnapshot(changes: own, resolvedIn: changes)
        }
        return SaveCapture(
            changes: changes, captured: captured, origins: origins, levels: levels, author: author,
            linkSerials: linkSerials, remoteOrigin: remoteOrigin, carried: carried, ticket: ticket,
            policy: policy, options: options)
    }

    /// The same save of a context that is used no more and need not hear of it.
    func withoutOrigins() -> SaveCapture {
        SaveCapture(
            changes: changes, origins: [], levels: [:], author: nil, linkSerials: [:],
            remoteOrigin: nil, ticket: ticket, policy: policy, options: options)
    }
}
