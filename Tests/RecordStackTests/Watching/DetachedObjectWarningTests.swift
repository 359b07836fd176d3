import RecordStack
import RecordStackTesting
import Testing

/// Warnings about setting an object that no context will save.
@Suite("Warnings about detached objects") struct DetachedObjectWarningTests {
    enum Step: CaseIterable { case deletion, rollback, reset, end }

    @Test(arguments: Step.allCases) func `setting properties of a detached object warns once`(
        _ step: Step
    ) throws {
        let log = WarningLog()
        let test = try TestStack(
            entities: [Barge.self, Wharf.self], at: .memory, options: log.options())
        var context: ManagedObjectContext? = test.stack.newContext()
        let barge = try Barge.create(in: context!, name: "a")
        if step != .rollback { try context!.saveAndWait() }
        switch step {
        case .deletion:
            try context!.delete(barge)
            try context!.saveAndWait()
        case .rollback: context!.rollback()
        case .reset: context!.reset()
        case .end: context = nil
        }
        #expect(log.warnings.isEmpty)
        barge.tons = 2
        barge.tons = 3
        barge.home = nil
        let messages = log.messages(.detachedObject)
        #expect(messages.count == 1 && log.warnings.count == 1)
        let start = "tons was set of \(barge.objectID), which "
        #expect(messages.first?.prefix(start.count) ?? "" == start)
        #expect(messages.first?.hasSuffix("or create a new one, and set that.") == true)
    }

    @Test func `setting a to-one relationship of a detached object warns`() throws {
        let log = WarningLog()
        let test = try TestStack(
            entities: [Barge.self, Wharf.self], at: .memory, options: log.options())
        let context = test.stack.newContext()
        let barge = try Barge.create(in: context, name: "a")
        context.rollback()
        barge.home = nil
        #expect(log.messages(.detachedObject).first?.hasPrefix("home was set of ") == true)
    }

    @Test func `setting a property of an object marked for deletion does not warn`() throws {
        let log = WarningLog()
        let test = try TestStack(
            entities: [Barge.self, Wharf.self], at: .memory, options: log.options())
        let context = test.stack.newContext()
        let barge = try Barge.create(in: context, name: "a")
        try context.saveAndWait()
        #expect(!barge.isDeleted)
        try context.delete(barge)
        barge.tons = 2
        #expect(barge.isDeleted && log.warnings.isEmpty)
        try context.saveAndWait()
        #expect(barge.isDeleted)
    }
}
