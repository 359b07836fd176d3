import RecordStackModel
import Synchronization

/// The commits that some context has not read yet, in their order.
///
/// The coordinator's writer appends each commit once. Each context reads from where its ``LogCursor`` stands, in its isolation.
/// The log drops a commit when all contexts have read it, or when the commits behind it have too many rows: a context that has
/// not read it compares what it holds by version instead (``VersionRefresh``).
final class CommitLog: Sendable {
    private struct State {
        var commits = SharedQueue<CommittedChanges>(maxWeight: CommitLog.mostRows)
        /// The contexts' cursors, in the order of their numbers.
        var cursors: [LogCursor] = []
        /// Those of contexts that take in commits without being asked.
        var followers: [LogCursor] = []
        /// The number of this stack's last save in the log.
        var lastOwn: UInt64?
        /// Which saves of other stacks are in the log, or were in the store before there was one.
        var position: StorePosition
        /// The cursors of contexts that are snapshots of others: few, those of save blocks that run.
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

    /// - Parameter position: which saves the store contained when it was opened.
    init(at position: StorePosition) { state = Mutex(State(at: position)) }

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
    /// Returns a cursor that reads every commit from now on.
    /// - Parameter parent: the number of the cursor of the context in another isolation that the cursor's context is a
    ///   snapshot of.
    ///
    /// Also returns the position from which it reads.
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

    /// The context of a cursor goes, or reads no more.
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

    /// Wakes the owner of a cursor's context for each commit.
    func follow(_ cursor: LogCursor) { state.withLock { $0.followers.append(cursor) } }

    /// The cursors of the main actor's contexts that follow. Also those that have read everything: what they have read may be
    /// taken in just now.
    var ownersOnMain: [OwningActor] {
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
            switch commit.mark {
            case .own(let number): state.lastOwn = number
            case .remote(let position): state.position.advance(to: position)
            case .unnumbered: break
            }
            // A context must learn that its own changes are saved, however long it stands still.
            for author in commit.authors { state.keep(commit, for: author) }
            lastNumber.store(commit.sequence, ordering: .releasing)
            return state.followers
        }
        for cursor in followers { cursor.wakeOwner() }
    }

    /// Returns the number of the last commit that a reader sees.
    /// - Parameters:
    ///   - position: which saves the reader sees.
    ///   - own: the number of this stack's last save among them; nil if it sees none.
    /// - Returns: nil if that save is committed, but not in the log yet.
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

    /// Returns the commits from a cursor on, without reading them.
    func unread(_ cursor: LogCursor) -> [CommittedChanges] {
        state.withLock { $0.commits.unread(from: cursor.next) }
    }

    /// Reads the commits from a cursor up to a number, and moves the cursor behind them.
    /// - Returns: the commits, and the numbers of those before them that were dropped unread.
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
