import RecordStack
import RecordStackModel
import SaveLoopLedger
import TestSupport
import Testing

/// Events between an in-doubt save and its resolution.
@Suite("Events during an in-doubt save") struct SettlingTests {
    @Test(arguments: UnknownOutcome.allCases)
    func `an in-doubt save resolves correctly after 40 saves of another stack`(
        outcome: UnknownOutcome
    ) throws {
        let (ledger, context) = try UnknownOutcome.makeLedger()
        let other = try ledger.openAnother()
        try outcome.meet(ledger) { try context.saveAndWait() }
        for number in 4..<44 {
            let others = other.newContext()
            try ledger.book(number, accounts: [2, 3], in: others)
            try others.saveAndWait()
        }
        #expect(try (context.saveAndWait() == .noChanges) == outcome.isThere)
        #expect(!context.hasChanges)
        #expect(try ledger.saves() == Array(1..<44))
        try other.close()
    }

    @Test(arguments: UnknownOutcome.allCases)
    func `closing a stack leaves its in-doubt save whole or absent`(
        outcome: UnknownOutcome
    ) throws {
        let (ledger, context) = try UnknownOutcome.makeLedger()
        try outcome.meet(ledger) { try context.saveAndWait() }
        try ledger.close()
        #expect(throws: RecordStackError.self) { try context.saveAndWait() }
        let saves = try ledger.saves()
        #expect(saves == (outcome.isThere ? [1, 2, 3] : [1, 2]))
        let stack = try ledger.open()
        #expect(try Receipt.count(in: stack.newContext()) == saves.count)
        try ledger.save(4)
        #expect(try ledger.saves() == saves + [4])
    }

    @Test(arguments: UnknownOutcome.allCases)
    func `a new object of an in-doubt save can be deleted before the resolution`(
        outcome: UnknownOutcome
    ) throws {
        let (ledger, context) = try UnknownOutcome.makeLedger()
        try outcome.meet(ledger) { try context.saveAndWait() }
        try ledger.takeBack(3, in: context)
        try context.saveAndWait()
        #expect(!context.hasChanges)
        #expect(try ledger.saves() == [1, 2])
    }

    @Test(arguments: [UnknownOutcome.countedLater, .committed])
    func `a context merges its own in-doubt save and then another stack's save`(
        outcome: UnknownOutcome
    ) throws {
        let (ledger, context) = try UnknownOutcome.makeLedger()
        try outcome.meet(ledger) { try context.saveAndWait() }
        let other = try ledger.openAnother()
        let others = other.newContext()
        try ledger.book(4, in: others)
        try others.saveAndWait()
        let coordinator = try ledger.stack.coordinator
        coordinator.lookForRemoteSaves()
        coordinator.waitForCheckpoint()
        #expect(try Receipt.count(in: context) == 4)
        #expect(!context.hasChanges)
        #expect(try context.saveAndWait() == .noChanges)
        #expect(try ledger.saves() == [1, 2, 3, 4])
        try other.close()
    }

    @Test(arguments: UnknownOutcome.allCases)
    func `every save throws outcomeUnknown while the disk keeps failing`(
        outcome: UnknownOutcome
    ) throws {
        let (ledger, context) = try UnknownOutcome.makeLedger()
        try outcome.meet(ledger) { try context.saveAndWait() }
        let other = try ledger.stack.newContext()
        try ledger.book(4, accounts: [2, 3], in: other)
        for call in [DiskCall.lastWrite, .sync] {
            for reason in Fault.Reason.allCases {
                let fault = Fault(call: call, number: 1, reason: reason, lasts: true)
                ledger.disk.arm(fault)
                for context in [other, context, other] {
                    let error = try #require(throws: RecordStackError.self) {
                        try context.saveAndWait()
                    }
                    #expect(error.code == .outcomeUnknown, "\(error)")
                    #expect(error.message.contains("an earlier save"), "\(error)")
                    #expect(context.hasChanges)
                }
                ledger.disk.mend()
            }
        }
        try other.saveAndWait()
        #expect(try (context.saveAndWait() == .noChanges) == outcome.isThere)
        #expect(try ledger.saves() == [1, 2, 3, 4])
    }

    @Test func `resolving an in-doubt save throws busy while the store is locked`() throws {
        let (ledger, context) = try UnknownOutcome.makeLedger(isAssigned: false)
        try UnknownOutcome.committed.meet(ledger) { try context.saveAndWait() }
        let lock = try ForeignLock(path: ledger.path)
        let error = try #require(throws: RecordStackError.self) { try context.saveAndWait() }
        #expect(error.code == .busy)
        try lock.release()
        #expect(try context.saveAndWait() == .noChanges)
    }

    @Test func `resolving an in-doubt durable save syncs the disk`() throws {
        let (ledger, context) = try UnknownOutcome.makeLedger()
        ledger.disk.arm(Fault(call: .sync, number: 1))
        let error = try #require(throws: RecordStackError.self) {
            try context.saveAndWait(.durable)
        }
        #expect(error.code == .outcomeUnknown)
        ledger.disk.mend()
        ledger.disk.spoilIndex()
        var second: SaveOutcome?
        let calls = try ledger.disk.count { second = try context.saveAndWait(.durable) }
        #expect(second == .noChanges)
        #expect(calls[.sync, default: 0] > 0)
        #expect(try ledger.saves() == [1, 2, 3])
    }

    @Test func `an ordinary save makes no sync call`() throws {
        let (ledger, context) = try UnknownOutcome.makeLedger()
        let calls = try ledger.disk.count { try context.saveAndWait() }
        #expect(calls[.sync] == 0)
    }

    /// The store remembers the last saves of 16 stacks.
    @Test func `retrying an in-doubt save conflicts once 17 other stacks have saved`() throws {
        let (ledger, context) = try UnknownOutcome.makeLedger(isAssigned: false)
        try UnknownOutcome.committed.meet(ledger) { try context.saveAndWait() }
        for number in 4..<21 {
            let other = try ledger.openAnother()
            let others = other.newContext()
            try ledger.book(number, accounts: [2, 3], in: others)
            try others.saveAndWait()
            try other.close()
        }
        let error = try #require(throws: RecordStackError.self) { try context.saveAndWait() }
        #expect(error.code == .conflict, "\(error)")
        #expect(try ledger.saves() == Array(1..<21))
        context.rollback()
        #expect(try Receipt.count(in: context) == 20)
    }
}
