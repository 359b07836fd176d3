import RecordStack
import RecordStackModel
import SaveLoopLedger
import TestSupport
import Testing

/// Runs one kind of work in a new store, on a disk that fails meanwhile, and checks everything
/// afterwards.
final class FaultTrial {
    let work: FaultedWork
    let ledger: FaultedLedger
    /// The number of the save that the trial attempts.
    private let number: Int
    private var context: ManagedObjectContext?
    /// A second context of the stack, which watches the save's changes.
    private var watcher: ManagedObjectContext?
    private var watched: Account?

    init(_ work: FaultedWork) throws {
        self.work = work
        ledger = try work.makeLedger()
        number = work.savesBefore + 1
        if work == .making { return }
        for save in 1..<number { try ledger.save(save) }
        try ledger.stack.coordinator.waitForCheckpoint()
        switch work {
        case .reopening: try ledger.close()
        case .opening, .closing: break
        case .leasing: context = try ledger.stack.newContext()
        default: try prepareSave()
        }
    }

    private func prepareSave() throws {
        let stack = try ledger.stack
        let watcher = stack.newContext()
        watched = try Account.findFirst(by: \.number, 0, in: watcher)
        let context = stack.newContext()
        try ledger.book(number, entries: work.entries, in: context)
        self.watcher = watcher
        self.context = context
    }

    /// Counts the calls of each kind that the work makes on a disk that never fails.
    static func calls(of work: FaultedWork) throws -> [DiskCall: Int] {
        let trial = try FaultTrial(work)
        let before = trial.ledger.checkpointModes.count
        let calls = try trial.ledger.disk.count { try trial.doWork() }
        let modes = trial.ledger.checkpointModes.dropFirst(before)
        try #require(modes.contains("RESTART") == (work == .checkpoint))
        try #require(modes.contains("TRUNCATE") == (work == .longCheckpoint || work.closes))
        return calls
    }

    private func doWork() throws {
        switch work {
        case .making, .opening, .reopening: try ledger.openAnother().close()
        case .closing: try ledger.close()
        case .leasing: try bookAnew()
        default:
            try #require(context).saveAndWait(work.saveOptions)
            ledger.acknowledge(number)
            // The checkpoint that follows a save counts as part of the work.
            try ledger.stack.coordinator.waitForCheckpoint()
        }
    }

    /// Starts the booking over: the objects created before a lease failed are only half of it.
    private func bookAnew() throws {
        let context = try #require(context)
        context.rollback()
        try ledger.book(number, in: context)
    }

    enum Outcome {
        /// The call failed, and the work either threw the error or went on.
        case met(RecordStackError?)
        /// The work did not make that many calls.
        case notMet
    }

    /// Does the work on a disk that fails, repairs the disk, goes on, and checks everything on the
    /// way.
    func run(_ fault: Fault) throws -> Outcome {
        ledger.disk.arm(fault)
        let error = try tryWork()
        try checkStore(after: error)
        if error != nil && fault.lasts {
            // The disk is still broken, so the work must fail again.
            try checkStore(after: try tryWork() ?? error)
        }
        ledger.disk.mend()
        let wasMet = ledger.disk.failures > 0
        try #require(wasMet || error == nil)
        try goOn(after: error)
        try checkReopened()
        return wasMet ? .met(error) : .notMet
    }

    /// - Returns: the error, which is a `RecordStackError` whose message says what to do.
    private func tryWork() throws -> RecordStackError? {
        let edits = context.map(Edits.init)
        do {
            try doWork()
            return nil
        } catch let error as RecordStackError {
            let codes: [RecordStackError.Code] = [.io, .full, .outcomeUnknown, .cannotOpen, .busy]
            try #require(codes.contains(error.code), "\(error)")
            let advice = ["again", "Check", "Look", "Free"]
            try #require(advice.contains { error.message.contains($0) }, "\(error)")
            if work != .leasing {
                try #require(context.map(Edits.init) == edits, "edits were lost")
            }
            return error
        }
    }

    /// Checks that no save that returned is lost, and that the failed save is there as a whole or
    /// not at all.
    private func checkStore(after error: RecordStackError?) throws {
        let acknowledged = ledger.acknowledged
        let withFailed = acknowledged + (error == nil ? [] : [number])
        for saves in [try ledger.saves(), try ledger.savesAfterKill()] {
            let mayBeThere = error?.code == .outcomeUnknown
            let known = "\(acknowledged) had returned and \(error.map { "\($0)" } ?? "no error")"
            try #require(
                saves == acknowledged || mayBeThere && saves == withFailed,
                "there are \(saves) after \(known)")
        }
    }

    private func goOn(after error: RecordStackError?) throws {
        if let context, !ledger.acknowledged.contains(number) {
            if work == .leasing { try bookAnew() }
            let outcome = try context.saveAndWait(work.saveOptions)
            if error?.code != .outcomeUnknown { try #require(outcome != .noChanges) }
            ledger.acknowledge(number)
        }
        try #require(context?.hasChanges != true)
        try checkWatcher()
        try ledger.save(number + 1)
        try checkBelief()
        try #require(try ledger.saves() == ledger.acknowledged)
    }

    /// Checks that another context of the stack has merged the save.
    private func checkWatcher() throws {
        guard let watcher else { return }
        try #require(try Receipt.count(in: watcher) == ledger.acknowledged.count)
        if let watched {
            let other = try ledger.stack.newContext()
            let fresh = try #require(try Account.findFirst(by: \.number, 0, in: other))
            try #require(watched.balance == fresh.balance)
            try #require(watched.entries.count == fresh.entries.count)
        }
    }

    /// Checks that the context shows the same rows as another stack reads from the store.
    private func checkBelief() throws {
        guard let context else { return }
        let other = try ledger.openAnother()
        try #require(try Beliefs(context) == Beliefs(other.newContext()))
        try other.close()
    }

    private func checkReopened() throws {
        context = nil
        watcher = nil
        watched = nil
        try ledger.close()
        try #require(try ledger.saves() == ledger.acknowledged)
        let context = try ledger.open().newContext()
        try #require(try Receipt.count(in: context) == ledger.acknowledged.count)
        try #require(try ledger.stack.storeSize.freePageCount >= 0)
        try ledger.save(number + 2)
        try ledger.close()
        try #require(try ledger.folder.names == ["ledger.sqlite"])
    }
}

/// The changes that a context is about to save.
private struct Edits: Equatable {
    let inserted: Int
    let changed: [String]

    init(_ context: ManagedObjectContext) {
        inserted = context.insertedObjects.count
        changed = context.updatedObjects.map { "\($0.objectID) \($0.changedValues())" }.sorted()
    }
}

/// All rows, as a context sees them.
private struct Beliefs: Equatable {
    let accounts: [Int: [Int]]
    let entries: [String]
    let receipts: [Int]

    init(_ context: ManagedObjectContext) throws {
        accounts = Dictionary(
            uniqueKeysWithValues: try Account.find(in: context).map {
                ($0.number, [$0.balance, $0.entries.count])
            })
        entries = try Entry.find(in: context).map {
            "\($0.objectID) \($0.save) \($0.amount) \($0.account?.number, default: "-")"
        }.sorted()
        receipts = try Receipt.find(in: context).map(\.save).sorted()
    }
}
