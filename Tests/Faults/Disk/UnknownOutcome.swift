import RecordStack
import RecordStackModel
import TestSupport
import Testing

/// The ways in which a save can end if its COMMIT fails.
enum UnknownOutcome: CaseIterable {
    /// The last page is not written.
    case notWritten
    /// Half of the last page is written.
    case tornEnd
    /// All pages are in the log, but the index does not count them.
    case notCounted
    /// As `notCounted`, but then the log's index is lost and rebuilt, and the rebuilt index counts
    /// the pages.
    case countedLater
    /// Every connection could see the commit already.
    case committed

    var isThere: Bool { self == .countedLater || self == .committed }

    /// Creates a ledger with two saves, and a third one that is booked but not saved.
    /// - Parameter isAssigned: whether the stack looks for remote saves, which resolves an in-doubt
    ///   save.
    static func makeLedger(
        entries: Int = 4, isAssigned: Bool = true
    ) throws -> (FaultedLedger, ManagedObjectContext) {
        let ledger = try FaultedLedger { if !isAssigned { $0.remoteSaveInterval = nil } }
        for number in 1...2 { try ledger.save(number) }
        let context = try ledger.stack.newContext()
        try ledger.book(3, entries: entries, in: context)
        return (ledger, context)
    }

    /// Runs a save that ends in this way.
    /// - Returns: the error.
    @discardableResult
    func meet(_ ledger: FaultedLedger, _ save: () throws -> Void) throws -> RecordStackError {
        try meet(on: ledger.disk, save)
    }

    @discardableResult
    func meet(on disk: FaultyDisk, _ save: () throws -> Void) throws -> RecordStackError {
        var error: RecordStackError?
        disk.arm(fault)
        do { try save() } catch let thrown as RecordStackError { error = thrown }
        disk.mend()
        try #require(error?.code == .outcomeUnknown, "\(String(describing: error))")
        if self == .countedLater { disk.spoilIndex() }
        return try #require(error)
    }

    private var fault: Fault {
        switch self {
        case .notWritten: Fault(call: .lastWrite, number: 1)
        case .tornEnd: Fault(call: .lastWrite, number: 1, part: .half)
        case .notCounted, .countedLater: Fault(call: .lastWrite, number: 1, part: .whole)
        case .committed: Fault(call: .committed, number: 1)
        }
    }
}
