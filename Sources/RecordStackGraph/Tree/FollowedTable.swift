import RecordStackModel

/// How far a child context's table has followed the history of its parent's table.
final class FollowedTable {
    weak var pending: PendingRows?
    private(set) var position: Int
    /// The context's number of merges at that point.
    let drains: Int
    /// The child's own history, and its end at that point.
    private weak var own: PendingRows?
    private var ownEnd: Int

    init(pending: PendingRows, drains: Int, own: PendingRows?) {
        (self.pending, position, self.drains) = (pending, pending.position, drains)
        own?.beginHistory()
        (self.own, ownEnd) = (own, own?.end ?? 0)
    }

    /// Records that the child shows the current state of the parent's table.
    ///
    /// - Parameter own: the child's history. It is a new one if the child had no edits for a while.
    func catchUp(with own: PendingRows?) {
        if let pending { position = pending.position }
        if own !== self.own {
            own?.beginHistory()
            self.own = own
        }
        ownEnd = own?.end ?? 0
    }

    /// Returns the keys of the objects that the child has changed itself since; nil if unknown.
    func ownChanges(in table: EntityTable) -> ContiguousArray<Int64>? {
        guard let own, own === table.pending else { return nil }
        return own.allChanges(sinceEnd: ownEnd)
    }
}
