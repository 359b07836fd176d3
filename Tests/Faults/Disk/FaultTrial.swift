import RecordStack
import RecordStackModel
import SaveLoopLedger
import TestSupport
import Testing

/// One kind of work in a store of its own, on a disk that fails meanwhile; then everything is looked
/// at.
final class FaultTrial {
    let work: FaultedWork
    let ledger: FaultedLedger
    /// The save that is tried.
    private let number: Int
    private var context: ManagedObjectContext?
    /// Watches what the save changes from elsewhere in the stack.
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

    /// How often the work makes each call when nothing fails.
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
            // What follows a save.
            try ledger.stack.coordinator.waitForCheckpoint()
        }
    }

    /// What was created before a lease failed is half a booking.
    private func bookAnew() throws {
        let context = try #require(context)
        context.rollback()
        try ledger.book(number, in: context)
    }

    enum Outcome {
        /// The call has failed, and the work has thrown the error or gone on.
        case met(RecordStackError?)
        /// The work has not made as many calls.
        case notMet
    }

    /// Does the work on a disk that fails, mends it, goes on, and checks everything on the way.
    func run(_ fault: Fault) throws -> Outcome {
        ledger.disk.arm(fault)
        let error = try tryWork()
        try checkStore(after: error)
        if error != nil && fault.lasts {
            // It is still broken, and says so again.
            try checkStore(after: try tryWork() ?? error)
        }
        ledger.disk.mend()
        let wasMet = ledger.disk.failures > 0
        try #require(wasMet || error == nil)
        try goOn(after: error)
        try checkReopened()
        return wasMet ? .met(error) : .notMet
    }

    /// - Returns: the error, which is one of ours and says what to do.
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

    /// No save that has returned is lost, and the one that has failed is whole or not there.
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

    /// Another context of the stack has heard of the save.
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

    /// What the context believes is what another stack reads from the store.
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

/// What a context is about to save.
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
