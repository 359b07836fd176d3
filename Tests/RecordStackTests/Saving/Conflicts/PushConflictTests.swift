import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// A berth in a child whose parent holds nothing.
struct Pushed {
    let dispute: Dispute
    let parent: ManagedObjectContext
    let child: ManagedObjectContext
    let berth: Berth

    init() async throws {
        dispute = try await Dispute(.stale)
        parent = dispute.test.stack.newContext(name: "list")
        child = parent.newChild(name: "form")
        berth = try Berth.existing(dispute.id, in: child)
        _ = (berth.name, berth.harbour?.name)
    }

    /// - Returns: the conflict; nil where all was saved.
    func save(_ policy: String) async throws -> MergeConflict? {
        do {
            try child.push(mergePolicy: MergePolicyTests.policy(policy))
        } catch let error as RecordStackError where error.code == .conflict {
            #expect(child.hasChanges && !parent.hasChanges)
            return error.conflicts.first
        }
        #expect(!child.hasChanges)
        try await parent.save()
        return nil
    }

    /// Has the stack of the parent hear of what others have saved.
    func listen() throws {
        hear()
        _ = try Berth.count(in: child)
    }

    /// The same, while the contexts do nothing.
    func hear() {
        dispute.test.stack.hearOthers()
    }
}

/// What is handed to a parent when another stack has changed it, of which nobody has heard: the parent reads its objects
/// only then.
@Suite struct PushConflictTests {
    private static let policies = MergePolicyTests.policies.map(\.name)

    private func isOurs(_ policy: String) -> Bool {
        policy == "objectTrump" || policy == "overwrite"
    }

    @Test(arguments: policies) func `both sides changed an attribute`(policy: String) async throws {
        let pushed = try await Pushed()
        pushed.berth.name = "ours"
        try await pushed.dispute.there { berth, _ in (berth.name, berth.count) = ("theirs", 11) }
        let conflict = try await pushed.save(policy)
        if policy == "error" {
            #expect(conflict?.properties.map(\.name) == ["name"])
            #expect(pushed.berth.name == "ours")
            return
        }
        let wanted = isOurs(policy) ? "ours" : "theirs"
        #expect(conflict == nil && pushed.berth.name == wanted)
        #expect(try pushed.dispute.stored(\.name) == wanted)
        #expect(try pushed.dispute.stored(\.count) == (policy == "overwrite" ? 10 : 11))
    }

    @Test(arguments: policies) func `each side changed another attribute`(policy: String)
        async throws
    {
        let pushed = try await Pushed()
        pushed.berth.name = "ours"
        try await pushed.dispute.there { berth, _ in berth.note = "theirs" }
        #expect(try await pushed.save(policy) == nil)
        let wanted: [String?] = [
            policy == "rollback" ? "base" : "ours", policy == "overwrite" ? "base" : "theirs",
        ]
        #expect(try pushed.dispute.stored { [$0.name, $0.note] } == wanted)
        #expect([pushed.berth.name, pushed.berth.note] == wanted)
    }

    @Test(arguments: policies) func `what was deleted here others have changed`(
        policy: String
    ) async throws {
        let pushed = try await Pushed()
        try pushed.berth.delete()
        try await pushed.dispute.there { berth, _ in berth.name = "theirs" }
        let conflict = try await pushed.save(policy)
        if policy == "error" {
            #expect(conflict?.kind == .deletedHere)
            #expect(try Berth.count(in: pushed.child) == 0 && Berth.count(in: pushed.parent) == 1)
            return
        }
        let wanted = isOurs(policy) ? nil : "theirs"
        #expect(conflict == nil)
        #expect(try pushed.dispute.stored(\.name) == wanted)
        for context in [pushed.child, pushed.parent] {
            #expect(try Berth.findFirst(in: context)?.name == wanted)
        }
        if wanted == nil { return }
        #expect(pushed.berth.objectState == .persistent)
        #expect(pushed.berth.harbour?.berths.contains(pushed.berth) == true)
    }

    @Test(arguments: policies) func `what was changed here others have deleted`(
        policy: String
    ) async throws {
        let pushed = try await Pushed()
        pushed.berth.name = "ours"
        let third = try ContextStack(
            for: Berth.self, Harbour.self, Buoy.self,
            at: .file(#require(pushed.dispute.test.path)), options: .hearingOfNobody)
        let late = third.newContext(name: "late")
        try Berth.existing(pushed.dispute.id, in: late).name = "late's"
        try await pushed.dispute.there { berth, _ in try berth.delete() }
        let conflict = try await pushed.save(policy)
        if policy == "error" {
            #expect(conflict?.kind == .deletedThere)
            return
        }
        let wanted = isOurs(policy) ? "ours" : nil
        #expect(conflict == nil)
        #expect(try pushed.dispute.stored(\.name) == wanted)
        for context in [pushed.child, pushed.parent] {
            #expect(try Berth.findFirst(in: context)?.name == wanted)
        }
        // A row that is back is not the one that others have read.
        await #expect(throws: RecordStackError.self) { try await late.save() }
        #expect(try pushed.dispute.stored(\.name) == wanted)
        if wanted == nil { return #expect(pushed.berth.objectState == .detached) }
        #expect(pushed.berth.objectState == .persistent)
        pushed.berth.name = "next"
        try await pushed.child.save()
        #expect(try pushed.dispute.stored(\.name) == "next")
    }

    @Test func `a row that was to come back and is rolled back is gone`() async throws {
        let pushed = try await Pushed()
        pushed.berth.name = "ours"
        try await pushed.dispute.there { berth, _ in try berth.delete() }
        try pushed.child.push(mergePolicy: .objectTrump)
        #expect(try Berth.findFirst(in: pushed.child)?.name == "ours")
        pushed.parent.rollback()
        #expect(try Berth.count(in: pushed.child) == 0)
        #expect(pushed.berth.objectState == .detached)
        #expect(try await pushed.child.save() == .noChanges)
    }
}
