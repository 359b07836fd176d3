import RecordStackModel

/// The commits that a context shows.
///
/// An operation shows whole commits: all saves that its reader sees, and no more. A reader sees the
/// saves up to its position. Rows that are loaded between two operations show as they were at the
/// first one.
final class ShownCommits: ContextPart {
    /// The context's cursor in the commit log.
    let cursor: LogCursor
    /// The saves of other stacks that the context has merged.
    var position: StorePosition
    // @exclusivity(unchecked): only the context's isolation uses it, one whole value at a time.

    /// The number of the last commit when the position was last determined.
    @exclusivity(unchecked) var positionNumber = -1
    /// The rows before the unread commits, with the commits' numbers and the reader's position.
    private var history: (unread: Range<Int>, position: StorePosition, rows: RowHistory)?
    /// The rows that the context has loaded since its last operation and that show a later commit.
    var rowsAhead = RowsAhead()

    init(upTo position: StorePosition, _ cursor: LogCursor) {
        (self.position, self.cursor) = (position, cursor)
    }

    /// Whether a commit that keeps no old values has changed a row since the last operation.
    func isOpen(_ key: Int64, hierarchy: Int) -> Bool {
        history?.rows.isOpen(key, hierarchy: hierarchy) ?? false
    }

    func forgetHistory() { history = nil }

    /// Returns whether the context itself shows exactly the saves up to a position.
    ///
    /// The ancestors of the context are not checked.
    @inline(__always)
    func confirm(at position: StorePosition) -> Bool {
        guard self.position == position, !cursor.hasUnread else { return false }
        positionNumber = cursor.next - 1
        return true
    }

    /// Merges the saves up to a reader's position, in this context and its ancestors.
    ///
    /// - Parameter position: the position of the reader's transaction.
    func takeIn(upTo position: StorePosition, with reader: any StoreReader) throws {
        var isThere = true
        context.forEachUp {
            isThere = isThere && $0.shown.position == position && !$0.cursor.hasUnread
        }
        if isThere {
            positionNumber = cursor.next - 1
            return
        }
        context.usage.pace.noteCommit()
        let last = coordinator.lastCommit(at: position)
        context.merger.mergeCommits(upTo: last)
        var taken: (since: StorePosition, changes: ChangeSet?)?
        var isSuspended = false
        for level in context.chain.reversed() {
            isSuspended = isSuspended || level.merger.mergeSuspensions > 0
            if isSuspended || level.shown.position == position { continue }
            level.shown.judgeRowsAhead()
            defer {
                level.shown.position = position
                level.shown.positionNumber = last
            }
            let since = level.shown.position
            let isBehind = position.hasSaves(ofOthersThan: coordinator.saves.author, since: since)
            guard isBehind, level.holdsSomething else { continue }
            if taken?.since != since {
                let author = coordinator.saves.author
                taken = (since, try reader.remoteChanges(since: since, author: author))
            }
            if let changes = taken?.changes { level.shown.take(changes, upTo: position) }
        }
    }

    private func take(_ changes: ChangeSet, upTo position: StorePosition) {
        context.monitor.counters.merges.add(1)
        context.monitor.counters.remoteMerges.add(1)
        context.merger.merge([
            CommittedChanges(
                sequence: 0, capture: SaveCapture(ofNobody: changes), mark: .remote(position))
        ])
        if changes.isTruncated { context.versionRefresh.demandRefreshByVersion() }
    }
}

// MARK: Between two operations

extension ShownCommits {
    /// Returns the reader for rows that are loaded between two operations.
    func readerBehind(_ reader: any StoreReader) throws -> any StoreReader {
        // A context whose merging is suspended shows the stored rows.
        if context.isMergingSuspended { return reader }
        let position = try reader.position()
        // The reader does not see later commits.
        let last = coordinator.lastCommit(at: position)
        let unread = cursor.next..<max(cursor.next, last + 1)
        let hasRemote = position.hasSaves(
            ofOthersThan: coordinator.saves.author, since: self.position)
        if unread.isEmpty && !hasRemote {
            history = nil
            return reader
        }
        if history?.unread != unread || history?.position != position {
            // An operation may have merged remote saves before they were in the log.
            let commits = coordinator.log.unread(cursor).filter {
                unread.contains($0.sequence) && !$0.isKnown(at: self.position)
            }
            let remote =
                hasRemote
                ? try reader.remoteChanges(since: self.position, author: coordinator.saves.author)
                : nil
            history = (
                unread, position, RowHistory(before: commits, remote: remote, coordinator.model)
            )
        }
        guard let history = history?.rows, !history.isEmpty else { return reader }
        return BehindReader(reader, before: history, in: context)
    }

    /// Records a conflict for each change of a row that is ahead.
    ///
    /// Called before the context merges commits, and before a save. A deletion merges commits
    /// itself, so it never marks an object that is ahead.
    ///
    /// - Returns: true if any rows were ahead.
    @discardableResult
    func judgeRowsAhead() -> Bool {
        if rowsAhead.isEmpty { return false }
        for (hierarchy, keys) in rowsAhead.take() {
            for key in keys {
                guard let object = tables[hierarchy].object(key), !object.isFault else { continue }
                for slot in 0..<type(of: object).slotCount where object.isWritten(slot) {
                    object.record.setTorn(slot, theirs: object.committedValue(at: slot))
                    context.repair.pending.insert(.conflicts)
                }
            }
        }
        return true
    }

    /// Does the same as ``judgeRowsAhead()`` for the context and its ancestors, before a save.
    ///
    /// If any rows were ahead, it also merges the commits. A program that rolls back and tries
    /// again then sees them as a whole.
    func judgeRowsAheadInChain() throws {
        var areAny = false
        context.forEachDown { if $0.shown.judgeRowsAhead() { areAny = true } }
        if areAny { try context.reading { _ in } }
    }
}
