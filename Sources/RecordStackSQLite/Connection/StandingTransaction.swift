import CSQLite
import RecordStackPlatform

/// A read transaction that outlives its operation, because the next one follows at once.
///
/// To begin and to end a read transaction takes three system calls, as long as a look-up by key. A burst reads on in its
/// transaction until somebody commits: a new transaction would show the same rows. The connection compares the header of the
/// log's index, as SQLite does when a transaction begins.
struct StandingTransaction {
    private let index: UnsafeRawPointer
    private let header: recordstack_log_header
    private let began = Self.now

    /// - Parameter index: mapped as long as this is kept. What is committed between this call and the beginning of the
    ///   transaction makes it look older than it is, which does no harm.
    init(index: UnsafeRawPointer) {
        self.index = index
        header = recordstack_read_log_header(index)
    }

    /// Whether nothing was committed since, by this process or another.
    var isCurrent: Bool {
        withUnsafePointer(to: header) { recordstack_log_header_is(index, $0) != 0 }
    }

    /// Whether it has lasted so long that it would be in the way of another process that writes the log back.
    var isOld: Bool { Self.now &- began >= Self.longest * 1_000_000 }

    /// How long one may last, in milliseconds.
    static var longest: Int { 10 }

    /// In nanoseconds, by the clock that takes least time to read.
    private static var now: Int { Int(MonotonicClock.coarseNanoseconds) }
}

/// The index of a file's log, as a connection maps it.
enum LogIndex {
    case unknown, none
    case mapped(UnsafeRawPointer)
}

extension SQLiteConnection {
    /// Whether the transaction may outlive the operation that ends.
    var mayStandOn: Bool {
        guard reading.isInBurst, reading.holder != nil, let standing = reading.standing else {
            return false
        }
        return !standing.isOld
    }

    /// Goes on with the transaction that stands if it shows what is committed now, otherwise begins a new one.
    func beginInBurst() throws {
        if reading.isCurrent { return }
        if let standing = reading.standing, reading.holder != nil, standing.isCurrent {
            return reading.isCurrent = true
        }
        endTransaction()
        if case .unknown = reading.logIndex { try findLogIndex() }
        // SQLite keeps the index mapped until the connection is closed: a connection leaves its log only to change the
        // journal, which none of ours does.
        if case .mapped(let index) = reading.logIndex {
            reading.standing = StandingTransaction(index: index)
        }
        try hold(by: silent(Self.burstText))
        reading.isCurrent = true
    }

    /// As ``holdText``, but another number, so that bursts are told apart by those who watch statements.
    static var burstText: String { "PRAGMA application_id" }

    /// The index is there after the first transaction has begun.
    private func findLogIndex() throws {
        if isFrozen { return reading.logIndex = .none }
        try hold(by: silent(Self.burstText))
        reading.logIndex = recordstack_log_index(handle).map { .mapped($0) } ?? .none
        endTransaction()
    }

    func hold(by statement: SQLiteStatement) throws {
        if try statement.step() { reading.holder = statement }
    }

    /// Ends the transaction for which a statement was left standing.
    func endTransaction() {
        reading.standing = nil
        reading.holder?.reset()
        reading.holder = nil
    }
}
