import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// A berth in a child whose parent holds no objects.
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

    /// - Returns: the conflict, or nil if everything was saved.
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

    /// Lets the parent's stack notice what others have saved, and merges that in the child.
    func listen() throws {
        hear()
        _ = try Berth.count(in: child)
    }

    /// Lets the parent's stack notice what others have saved, without an operation of the contexts.
    func hear() {
        dispute.test.stack.hearOthers()
    }
}

/// Pushes to a parent after another stack has changed the row unnoticed. The parent reads its
/// objects only then.
@Suite("Conflicts found by a push") struct PushConflictTests {
    private static let policies = MergePolicyTests.policies.map(\.name)

    private func isOurs(_ policy: String) -> Bool {
        policy == "objectTrump" || policy == "overwrite"
    }

    @Test(arguments: policies)
    func `a push's policy resolves an attribute that was also changed remotely`(
        policy: String
    ) async throws {
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

    @Test(arguments: policies)
    func `only the policy rollback or overwrite lets a push drop unrelated edits`(
        policy: String
    ) async throws {
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

    @Test(arguments: policies)
    func `a push's policy resolves a deletion of a remotely changed object`(
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

    @Test(arguments: policies) func `a push's policy resolves an edit of a remotely deleted object`(
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
            #expect(conflict?.kind == .deletedElsewhere)
            return
        }
        let wanted = isOurs(policy) ? "ours" : nil
        #expect(conflict == nil)
        #expect(try pushed.dispute.stored(\.name) == wanted)
        for context in [pushed.child, pushed.parent] {
            #expect(try Berth.findFirst(in: context)?.name == wanted)
        }
        // A re-inserted row differs from the row that others have read.
        await #expect(throws: RecordStackError.self) { try await late.save() }
        #expect(try pushed.dispute.stored(\.name) == wanted)
        if wanted == nil { return #expect(pushed.berth.objectState == .detached) }
        #expect(pushed.berth.objectState == .persistent)
        pushed.berth.name = "next"
        try await pushed.child.save()
        #expect(try pushed.dispute.stored(\.name) == "next")
    }

    @Test func `rolling back a pushed re-insertion detaches the object`() async throws {
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
