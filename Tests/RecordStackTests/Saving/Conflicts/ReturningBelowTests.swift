import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// A row that is re-inserted in the middle of a chain of contexts, while contexts above and below
/// it go on.
@Suite("Re-insertions in a chain of contexts") struct ReturningBelowTests {
    /// A berth that others delete, and another context with a change of it, which can re-insert it.
    private struct Returning {
        let pushed: Pushed
        let back: ManagedObjectContext
        var parent: ManagedObjectContext { pushed.parent }
        var child: ManagedObjectContext { pushed.child }

        init() async throws {
            pushed = try await Pushed()
            back = pushed.dispute.other.newContext(name: "back")
            try Berth.existing(pushed.dispute.id, in: back).name = "back"
        }

        func deleteThere() async throws {
            try await pushed.dispute.there { berth, _ in try berth.delete() }
        }

        func bringBackThere() async throws { try await back.save(mergePolicy: .objectTrump) }
    }

    @Test func `a child's re-insertion survives its parent's save of the same row`() async throws {
        let returning = try await Returning()
        let (pushed, child) = (returning.pushed, returning.child)
        let form = child.newChild(name: "part")
        try Berth.existing(pushed.dispute.id, in: form).name = "ours"
        try await returning.deleteThere()
        try pushed.listen()
        try form.push(mergePolicy: .objectTrump)
        try await returning.bringBackThere()
        let held = try Berth.existing(pushed.dispute.id, in: pushed.parent)
        #expect(held.name == "back")
        held.note = "x"
        try await pushed.parent.save()
        #expect(try Berth.findFirst(in: child)?.name == "ours")
        let error = #expect(throws: RecordStackError.self) { try child.push() }
        #expect(error?.conflicts.first?.properties.map(\.name).contains("name") == true)
        try child.push(mergePolicy: .objectTrump)
        try await pushed.parent.save()
        #expect(try pushed.dispute.stored(\.name) == "ours")
    }

    @Test(arguments: ["objectTrump", "rollback"])
    func `a child's deletion conflicts with another stack's re-inserted row`(policy: String)
        async throws
    {
        let returning = try await Returning()
        let pushed = returning.pushed
        pushed.berth.name = "ours"
        try await returning.deleteThere()
        try pushed.child.push(mergePolicy: .objectTrump)
        try pushed.berth.delete()
        try await returning.bringBackThere()
        try await pushed.parent.save(mergePolicy: MergePolicyTests.policy(policy))
        #expect(try Berth.count(in: pushed.child) == 0 && pushed.child.hasChanges)
        let error = await #expect(throws: RecordStackError.self) { try await pushed.child.save() }
        #expect(error?.conflicts.map(\.kind) == [.deletedHere])
        try await pushed.child.save(mergePolicy: .objectTrump)
        #expect(try pushed.dispute.stored(\.name) == nil)
    }

    @Test func `rolling back a re-insertion shows another context's re-inserted row`() async throws
    {
        let returning = try await Returning()
        let pushed = returning.pushed
        let rival = pushed.dispute.test.stack.newContext(name: "rival")
        try Berth.existing(pushed.dispute.id, in: rival).name = "theirs"
        pushed.berth.name = "ours"
        try await returning.deleteThere()
        try pushed.listen()
        #expect(try Berth.count(in: rival) == 0)
        try pushed.child.push(mergePolicy: .objectTrump)
        pushed.berth.buoys.insert(try Buoy.one(in: pushed.child) { $0.name == "ours" })
        try await rival.save(mergePolicy: .objectTrump)
        #expect(try Berth.findFirst(in: pushed.child)?.name == "ours")
        pushed.parent.rollback()
        #expect(try Berth.findFirst(in: pushed.child) === pushed.berth)
        #expect(pushed.berth.objectState == .persistent && pushed.berth.name == "theirs")
        #expect(pushed.berth.buoys.contains { $0.name == "ours" })
        try await pushed.child.save()
        #expect(try pushed.dispute.stored { $0.buoys.map(\.name).contains("ours") } == true)
    }

    @Test(arguments: [false, true])
    func `a child's re-insertion survives its parent's edit of the deleted row`(
        isRolledBack: Bool
    ) async throws {
        let returning = try await Returning()
        let pushed = returning.pushed
        // The context holds no objects, and finds that the row is gone.
        let child = pushed.parent.newChild(name: "middle")
        let form = child.newChild(name: "part")
        let held = try Berth.existing(pushed.dispute.id, in: pushed.parent)
        #expect(held.name == "base")
        try Berth.existing(pushed.dispute.id, in: form).name = "ours"
        try await returning.deleteThere()
        try form.push(mergePolicy: .objectTrump)
        held.note = "x"
        #expect(try Berth.findFirst(in: child)?.name == "ours")
        if isRolledBack { pushed.parent.rollback() }
        try pushed.listen()
        #expect(try Berth.findFirst(in: child)?.name == "ours")
        #expect(child.hasChanges)
        try await child.save(mergePolicy: .objectTrump)
        #expect(try pushed.dispute.stored(\.name) == "ours")
        #expect(!child.hasChanges && !pushed.parent.hasChanges)
    }

    @Test func `values that a policy gives to a re-inserted row cause no conflict`() async throws {
        let returning = try await Returning()
        let pushed = returning.pushed
        try Berth.existing(pushed.dispute.id, in: pushed.parent).note = "parent's"
        #expect(try Berth.count(in: pushed.child) == 1)
        pushed.berth.name = "ours"
        try await returning.deleteThere()
        try pushed.listen()
        try pushed.child.push(
            mergePolicy: .custom { $0.kind == .deletedElsewhere ? .values(["count": 5]) : .fail })
        try await pushed.parent.save()
        let stored = try pushed.dispute.stored { [$0.name, $0.note, "\($0.count)"] }
        #expect(stored == ["ours", "parent's", "5"])
    }
}
