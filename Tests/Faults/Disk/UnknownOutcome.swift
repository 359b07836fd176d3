import RecordStack
import RecordStackModel
import TestSupport
import Testing

/// How a save ends whose COMMIT fails.
enum UnknownOutcome: CaseIterable {
    /// Its last page is not written.
    case notWritten
    /// Half of its last page is written.
    case tornEnd
    /// All is in the log, but not counted as a part of it.
    case notCounted
    /// The same, and then the log's index is lost and made anew: it counts.
    case countedLater
    /// Everybody could see it already.
    case committed

    var isThere: Bool { self == .countedLater || self == .committed }

    /// A ledger with two saves and a third that is booked.
    /// - Parameter isAssigned: whether it looks for what others save, which settles what is unknown.
    static func makeLedger(
        entries: Int = 4, isAssigned: Bool = true
    ) throws -> (FaultedLedger, ManagedObjectContext) {
        let ledger = try FaultedLedger { if !isAssigned { $0.remoteSaveInterval = nil } }
        for number in 1...2 { try ledger.save(number) }
        let context = try ledger.stack.newContext()
        try ledger.book(3, entries: entries, in: context)
        return (ledger, context)
    }

    /// Saves, so that the end fails in this way.
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
