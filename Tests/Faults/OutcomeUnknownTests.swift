import RecordStack
import RecordStackModel
import SaveLoopLedger
import TestSupport
import Testing

/// In-doubt saves: a save whose COMMIT fails may or may not be in the store, and the next save
/// finds out.
@Suite("In-doubt saves") struct OutcomeUnknownTests {
    @Test(arguments: UnknownOutcome.allCases)
    func `saving again resolves an in-doubt save`(outcome: UnknownOutcome) throws {
        let (ledger, context) = try UnknownOutcome.makeLedger()
        let watcher = try ledger.stack.newContext()
        let account = try #require(try Account.findFirst(by: \.number, 0, in: watcher))
        let entries = try Entry.find(in: context) { $0.save == 3 }
        let error = try outcome.meet(ledger) { try context.saveAndWait() }
        #expect(error.message.contains("Save again, which finds out first"))
        #expect(context.hasChanges && entries.allSatisfy { $0.objectState == .pending })

        let second = try context.saveAndWait()
        #expect((second == .noChanges) == outcome.isThere)
        #expect(!context.hasChanges && entries.allSatisfy { $0.objectState == .persistent })
        #expect(try ledger.saves() == [1, 2, 3])
        #expect(try Receipt.count(in: watcher) == 3)
        #expect(account.entries.count == 6 && account.balance == 12)
        #expect(try context.saveAndWait() == .noChanges)

        // The context knows the row versions too, so the next saves do not conflict.
        try ledger.book(4, in: context)
        try context.saveAndWait()
        try ledger.book(5, in: watcher)
        try watcher.saveAndWait()
        #expect(try ledger.saves() == [1, 2, 3, 4, 5])
        #expect(try ledger.savesAfterKill() == [1, 2, 3, 4, 5])
    }

    @Test(arguments: UnknownOutcome.allCases)
    func `edits made after an in-doubt save are written exactly once`(
        outcome: UnknownOutcome
    ) throws {
        let (ledger, context) = try UnknownOutcome.makeLedger()
        let entry = try #require(try Entry.findFirst(in: context) { $0.save == 3 })
        let old = try #require(try Entry.findFirst(in: context) { $0.save == 1 })
        try outcome.meet(ledger) { try context.saveAndWait() }
        entry.note = "edited since"
        old.note = "edited since"
        try ledger.book(4, in: context)
        let second = try context.saveAndWait()
        guard case .saved(let summary) = second else {
            Issue.record("\(second)")
            return
        }
        #expect(summary.inserted == (outcome.isThere ? 5 : 10))
        #expect(try ledger.saves() == [1, 2, 3, 4])
        let fresh = try ledger.stack.newContext()
        #expect(try Entry.count(in: fresh) { $0.note == "edited since" } == 2)
    }

    @Test(arguments: UnknownOutcome.allCases)
    func `saving again resolves an in-doubt deletion`(outcome: UnknownOutcome) throws {
        let ledger = try FaultedLedger()
        for number in 1...2 { try ledger.save(number) }
        let context = try ledger.stack.newContext()
        let watcher = try ledger.stack.newContext()
        let receipt = try #require(try Receipt.findFirst(by: \.save, 1, in: watcher))
        try ledger.takeBack(1, in: context)
        try outcome.meet(ledger) { try context.saveAndWait() }
        #expect(context.deletedObjects.count == 5)
        #expect(try (context.saveAndWait() == .noChanges) == outcome.isThere)
        #expect(try Receipt.count(in: watcher) == 1)
        #expect(receipt.objectState == .detached)
        #expect(try ledger.saves() == [2])
    }

    @Test(arguments: UnknownOutcome.allCases)
    func `a save of another context resolves an in-doubt save`(outcome: UnknownOutcome) throws {
        let (ledger, context) = try UnknownOutcome.makeLedger()
        let other = try ledger.stack.newContext()
        try ledger.book(4, accounts: [2, 3], in: other)
        try outcome.meet(ledger) { try context.saveAndWait() }
        try other.saveAndWait()
        #expect(try ledger.saves() == (outcome.isThere ? [1, 2, 3, 4] : [1, 2, 4]))
        #expect(try Receipt.count(in: context) == 4, "it sees its own and the other's")
        #expect(context.hasChanges != outcome.isThere)
        #expect(try (context.saveAndWait() == .noChanges) == outcome.isThere)
        #expect(try ledger.saves() == [1, 2, 3, 4])
    }

    @Test(arguments: UnknownOutcome.allCases)
    func `a rollback after an in-doubt save keeps only what the store has`(
        outcome: UnknownOutcome
    ) throws {
        let (ledger, context) = try UnknownOutcome.makeLedger()
        let account = try #require(try Account.findFirst(by: \.number, 0, in: context))
        try outcome.meet(ledger) { try context.saveAndWait() }
        context.rollback()
        #expect(try context.saveAndWait() == .noChanges)
        let saves = outcome.isThere ? [1, 2, 3] : [1, 2]
        #expect(try ledger.saves() == saves)
        #expect(try Receipt.find(sortedBy: .ascending(\.save), in: context).map(\.save) == saves)
        #expect(account.balance == 2 * saves.reduce(0, +))
        #expect(account.entries.count == 2 * saves.count)
        // A crash must not change the result.
        #expect(try ledger.savesAfterKill() == saves)
        try ledger.book(4, in: context)
        try context.saveAndWait()
        #expect(try ledger.saves() == saves + [4])
    }

    @Test func `a crash does not change the outcome of a resolved in-doubt save`() throws {
        let (ledger, context) = try UnknownOutcome.makeLedger()
        try UnknownOutcome.notCounted.meet(ledger) { try context.saveAndWait() }
        #expect(try ledger.saves() == [1, 2])
        #expect(try ledger.savesAfterKill() == [1, 2, 3], "a crash would bring it back")
        context.rollback()
        try context.saveAndWait()
        #expect(try ledger.savesAfterKill() == [1, 2])
    }

    @Test(arguments: UnknownOutcome.allCases)
    func `a parent's save resolves its child's in-doubt save`(outcome: UnknownOutcome) throws {
        let (ledger, parent) = try UnknownOutcome.makeLedger()
        let child = parent.newChild()
        try ledger.book(4, accounts: [2, 3], in: child)
        try outcome.meet(ledger) { try child.saveAndWait() }
        #expect(parent.hasChanges && child.hasChanges)
        #expect(try (parent.saveAndWait() == .noChanges) == outcome.isThere)
        #expect(try ledger.saves() == (outcome.isThere ? [1, 2, 3, 4] : [1, 2, 3]))
        #expect(try Receipt.count(in: child) == 4, "it hears of it at its next operation")
        #expect(!parent.hasChanges && child.hasChanges != outcome.isThere)
        #expect(try (child.saveAndWait() == .noChanges) == outcome.isThere)
        #expect(try ledger.saves() == [1, 2, 3, 4])
        #expect(try Receipt.count(in: parent) == 4)
    }

    @Test(arguments: UnknownOutcome.allCases)
    func `re-running an in-doubt save block that checks for its rows saves once`(
        outcome: UnknownOutcome
    ) throws {
        let (ledger, context) = try UnknownOutcome.makeLedger()
        context.rollback()
        let book: @Sendable (ManagedObjectContext) throws -> Void = { context in
            if try Receipt.findFirst(by: \.save, 3, in: context) != nil { return }
            let account = try Account.findFirstOrCreate(by: \.number, 0, in: context)
            try Entry.create(in: context, save: 3, amount: 0, account: account)
            try Receipt.create(in: context, save: 3, entryCount: 1)
        }
        let stack = try ledger.stack
        try outcome.meet(ledger) { try stack.saveWithBlockAndWait(book) }
        try stack.saveWithBlockAndWait(book)
        #expect(try ledger.saves() == [1, 2, 3])
    }
}
