import RecordStackModel
import Synchronization

/// The commits that some context has not read yet, in order.
///
/// The coordinator's writer appends each commit once. Each context reads the commits from its
/// ``LogCursor`` on, in its own isolation. The log drops a commit when all contexts have read it,
/// or when the unread commits together have too many rows. A context that has not read a dropped
/// commit compares the objects that it holds by version: see ``VersionRefresh``.
final class CommitLog: Sendable {
    private struct State {
        var commits = SharedQueue<CommittedChanges>(maxWeight: CommitLog.mostRows)
        /// The contexts' cursors, sorted by number.
        var cursors: [LogCursor] = []
        /// The cursors of following contexts.
        var followers: [LogCursor] = []
        /// The number of this stack's last save in the log.
        var lastOwn: UInt64?
        /// The saves of other stacks that are in the log or were in the store before it began.
        var position: StorePosition
        /// The cursors of parent snapshots. There are few: only running save blocks have one.
        var snapshots: [LogCursor] = []

        init(at position: StorePosition) { self.position = position }

        func keep(_ commit: CommittedChanges, for author: Int) {
            if let index = index(of: author) { cursors[index].keep(commit) }
            for cursor in snapshots where cursor.parent == author { cursor.keep(commit) }
        }

        func index(of cursor: Int) -> Int? {
            var (lower, upper) = (0, cursors.count)
            while lower < upper {
                let middle = (lower + upper) / 2
                if cursors[middle].number < cursor { lower = middle + 1 } else { upper = middle }
            }
            return lower < cursors.count && cursors[lower].number == cursor ? lower : nil
        }
    }

    private let state: Mutex<State>
    private let lastNumber = Atomic(0)
    private let lastCursor = Atomic(0)

    /// Creates an empty log.
    ///
    /// - Parameter position: the saves that the store contained when it was opened.
    init(at position: StorePosition) { state = Mutex(State(at: position)) }

    /// The most rows that the log keeps, counting ``weightOfCommit`` for each commit.
    ///
    /// A context that is further behind compares the objects that it holds by version.
    static let mostRows = 20_000
    /// The memory that a commit takes besides its rows, counted in rows.
    ///
    /// Without this weight, the log would keep 20,000 saves of one row each for an unused context.
    /// They take many times as much memory as one save of 20,000 rows.
    private static let weightOfCommit = 9

    /// The number of the last commit.
    ///
    /// All contexts of a tree read up to the same number. A child that had read less than its
    /// parent would mistake a change that the parent has saved for one that the parent has
    /// discarded.
    var last: Int { lastNumber.load(ordering: .acquiring) }
}

// MARK: Cursors

extension CommitLog {
    /// Returns a cursor that reads every commit from now on, and the position from which it reads.
    ///
    /// - Parameter parent: for a parent snapshot, the cursor number of the context that it copies;
    ///   otherwise nil.
    func makeCursor(
        of monitor: ContextMonitor, snapshotOf parent: Int?
    ) -> (cursor: LogCursor, position: StorePosition) {
        state.withLock { state in
            let cursor = LogCursor(
                number: lastCursor.add(1, ordering: .relaxed).newValue, parent: parent, log: self,
                monitor: monitor, next: state.commits.addReader())
            state.cursors.append(cursor)
            if parent != nil { state.snapshots.append(cursor) }
            return (cursor, state.position)
        }
    }

    /// Removes the cursor of a context that ends, or that reads nothing more.
    func remove(_ cursor: LogCursor) {
        state.withLock { state in
            guard let index = state.index(of: cursor.number) else { return }
            state.cursors.remove(at: index)
            state.followers.removeAll { $0 === cursor }
            if cursor.parent != nil { state.snapshots.removeAll { $0 === cursor } }
            state.commits.removeReader(at: cursor.next)
            cursor.end()
        }
    }

    /// Makes each commit wake the owner of a cursor's context.
    func follow(_ cursor: LogCursor) { state.withLock { $0.followers.append(cursor) } }

    /// The owners of the main actor's following contexts.
    ///
    /// The owners of contexts that have read everything are among them, because a merge of what
    /// they have read may still be running.
    var ownersOnMain: [OwningActor] {
        state.withLock { state in
            state.followers.compactMap { $0.owner.flatMap { $0.isMain ? $0 : nil } }
        }
    }

    var monitors: [ContextMonitor] { state.withLock { $0.cursors.map(\.monitor) } }
}

// MARK: Writing and reading

extension CommitLog {
    /// Appends a commit, whose number must be one more than the number of the last commit.
    func append(_ commit: CommittedChanges) {
        let followers = state.withLock { state in
            state.commits.append(commit, weight: commit.changes.rowCount + Self.weightOfCommit)
            switch commit.mark {
            case .own(let number): state.lastOwn = number
            case .remote(let position): state.position.advance(to: position)
            case .unnumbered: break
            }
            // A context must learn that its own changes are saved, even if the log drops the commit
            // before the context reads it.
            for author in commit.authors { state.keep(commit, for: author) }
            lastNumber.store(commit.sequence, ordering: .releasing)
            return state.followers
        }
        for cursor in followers { cursor.wakeOwner() }
    }

    /// Returns the number of the last commit that a reader sees.
    ///
    /// - Parameters:
    ///   - position: the saves that the reader sees.
    ///   - own: the number of this stack's last save among them; nil if the reader sees none.
    /// - Returns: the number; nil if that save is committed, but not in the log yet.
    func last(at position: StorePosition, own: UInt64?) -> Int? {
        state.withLock { state in
            if let own {
                guard let lastOwn = state.lastOwn, lastOwn >= own else { return nil }
            }
            if state.lastOwn == own && !state.position.isLater(than: position) {
                return state.commits.last
            }
            return state.commits.last { $0.isContained(in: position, own: own) }
        }
    }

    /// Returns the commits from a cursor on, without moving the cursor.
    func unread(_ cursor: LogCursor) -> [CommittedChanges] {
        state.withLock { $0.commits.unread(from: cursor.next) }
    }

    /// Reads the commits from a cursor up to a number, and moves the cursor behind them.
    ///
    /// - Returns: the commits, and the numbers of earlier commits that were dropped unread.
    func read(
        _ cursor: LogCursor, upTo last: Int
    ) -> (commits: [CommittedChanges], missed: Range<Int>) {
        state.withLock { state in
            let reading = state.commits.read(from: cursor.next, through: last)
            cursor.stand(before: reading.next)
            return (reading.elements, reading.missed)
        }
    }
}
