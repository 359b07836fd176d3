import CSQLite
import RecordStackPlatform

/// A read transaction that outlives its operation, because the next one follows immediately.
///
/// Beginning and ending a read transaction takes three system calls, as long as a look-up by key. A
/// burst of operations keeps reading in one transaction until another connection commits, because a
/// new transaction would show the same rows. To detect a commit, the connection compares the header
/// of the WAL index, as SQLite does at the start of a transaction.
struct StandingTransaction {
    private let index: UnsafeRawPointer
    private let header: recordstack_log_header
    private let began = Self.now

    /// Records the header before the transaction begins.
    ///
    /// A commit between this call and the beginning of the transaction makes the transaction look
    /// older than it is, which does no harm.
    ///
    /// - Parameter index: the WAL index, which must stay mapped as long as this value exists.
    init(index: UnsafeRawPointer) {
        self.index = index
        header = recordstack_read_log_header(index)
    }

    /// Whether neither this process nor another has committed since.
    var isCurrent: Bool {
        withUnsafePointer(to: header) { recordstack_log_header_is(index, $0) != 0 }
    }

    /// Whether the transaction is old enough to delay another process's checkpoint.
    var isOld: Bool { Self.now &- began >= Self.longest * 1_000_000 }

    /// The longest time that a transaction may stand, in milliseconds.
    static var longest: Int { 10 }

    /// The time in nanoseconds, from the clock that is fastest to read.
    private static var now: Int { Int(MonotonicClock.coarseNanoseconds) }
}

/// The index of a file's WAL, as a connection maps it.
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

    /// Continues the standing transaction if it shows the latest commit, or begins a new one.
    func beginInBurst() throws {
        if reading.isCurrent { return }
        if let standing = reading.standing, reading.holder != nil, standing.isCurrent {
            return reading.isCurrent = true
        }
        endTransaction()
        if case .unknown = reading.logIndex { try findLogIndex() }
        // SQLite keeps the index mapped until the connection is closed. A connection would unmap it
        // only to change the journal mode, which no connection of a store does.
        if case .mapped(let index) = reading.logIndex {
            reading.standing = StandingTransaction(index: index)
        }
        try hold(by: silent(Self.burstText))
        reading.isCurrent = true
    }

    /// A statement like ``holdText`` for another number, by which observers recognize bursts.
    static var burstText: String { "PRAGMA application_id" }

    /// Maps the WAL index, which exists once the first transaction has begun.
    private func findLogIndex() throws {
        if isFrozen { return reading.logIndex = .none }
        try hold(by: silent(Self.burstText))
        reading.logIndex = recordstack_log_index(handle).map { .mapped($0) } ?? .none
        endTransaction()
    }

    func hold(by statement: SQLiteStatement) throws {
        if try statement.step() { reading.holder = statement }
    }

    /// Ends the transaction that an unfinished statement keeps open.
    func endTransaction() {
        reading.standing = nil
        reading.holder?.reset()
        reading.holder = nil
    }
}
