import RecordStackModel
import Synchronization

/// What was committed and not every context has taken in yet, in the order of the commits.
///
/// The root's writer appends each commit once. Each context reads from where its ``LogCursor`` stands, in its isolation. What
/// all have read goes; and of a context that stands still the log keeps no more than so many rows: such a one looks at what it
/// holds by version instead.
final class CommitLog: Sendable {
    private struct State {
        var commits = SharedQueue<CommittedChanges>(mostWeight: CommitLog.mostRows)
        /// The contexts' cursors, in the order of their numbers.
        var cursors: [LogCursor] = []
        /// Those of contexts that take in commits without being asked.
        var followers: [LogCursor] = []

        func place(of cursor: Int) -> Int? {
            var (lower, upper) = (0, cursors.count)
            while lower < upper {
                let middle = (lower + upper) / 2
                if cursors[middle].number < cursor { lower = middle + 1 } else { upper = middle }
            }
            return lower < cursors.count && cursors[lower].number == cursor ? lower : nil
        }
    }

    private let state = Mutex(State())
    private let lastNumber = Atomic(0)
    private let lastCursor = Atomic(0)

    /// A context that stands further back than so many rows looks at what it holds by version.
    static let mostRows = 20_000
    /// What a commit takes up beside its rows, in rows: a context that is not used must not keep 20,000 saves of one row
    /// each, which is many times as much memory.
    private static let weightOfCommit = 9

    /// The number of the last commit. Contexts of a tree read up to the same one: a child that has heard of less than its
    /// parent would take what the parent has saved for something that the parent gave up.
    var last: Int { lastNumber.load(ordering: .acquiring) }
}

// MARK: Cursors

extension CommitLog {
    /// A cursor that reads every commit from now on.
    func makeCursor(of monitor: ContextMonitor) -> LogCursor {
        state.withLock { state in
            let cursor = LogCursor(
                number: lastCursor.add(1, ordering: .relaxed).newValue, log: self,
                monitor: monitor, next: state.commits.addReader())
            state.cursors.append(cursor)
            return cursor
        }
    }

    /// The context of a cursor goes, or reads no more.
    func remove(_ cursor: LogCursor) {
        state.withLock { state in
            guard let place = state.place(of: cursor.number) else { return }
            state.cursors.remove(at: place)
            state.followers.removeAll { $0 === cursor }
            state.commits.removeReader(at: cursor.next)
            cursor.end()
        }
    }

    /// Wakes the owner of a cursor's context for each commit.
    func follow(_ cursor: LogCursor) { state.withLock { $0.followers.append(cursor) } }

    /// The cursors of the main actor's contexts that follow. Also those that have read everything: what they have read may be
    /// taken in just now.
    var ownersOnMain: [FollowingOwner] {
        state.withLock { state in
            state.followers.compactMap { $0.owner.flatMap { $0.isMain ? $0 : nil } }
        }
    }

    var monitors: [ContextMonitor] { state.withLock { $0.cursors.map(\.monitor) } }
}

// MARK: Writing and reading

extension CommitLog {
    /// Appends a commit, whose number is one more than the last one's.
    func append(_ commit: CommittedChanges) {
        let followers = state.withLock { state in
            state.commits.append(commit, weight: commit.changes.rowCount + Self.weightOfCommit)
            // Whose changes it is must learn that, however long it stands still.
            for number in commit.authors {
                if let place = state.place(of: number) { state.cursors[place].keep(commit) }
            }
            lastNumber.store(commit.sequence, ordering: .releasing)
            return state.followers
        }
        for cursor in followers { cursor.wakeOwner() }
    }

    /// The commits from a cursor up to a number; nil for those that were dropped. The cursor stands behind them then.
    func read(_ cursor: LogCursor, upTo last: Int) -> [CommittedChanges?] {
        state.withLock { state in
            let (commits, next) = state.commits.read(from: cursor.next, through: last)
            cursor.stand(before: next)
            return commits
        }
    }

    /// The commits from a cursor on.
    func unread(_ cursor: LogCursor) -> [CommittedChanges] {
        state.withLock { state in
            state.commits.elements(from: cursor.next, through: state.commits.last).compactMap { $0 }
        }
    }
}
