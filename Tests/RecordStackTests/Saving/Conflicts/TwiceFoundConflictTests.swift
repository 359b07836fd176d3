import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Conflicts that a context has merged before its save, together with conflicts that only the store
/// finds.
@Suite("Conflicts found twice") struct TwiceFoundConflictTests {
    /// A dispute over two berths. The context notices changes of the first, and no changes of the
    /// second.
    private struct Two {
        let dispute: Dispute
        let first: Berth
        let second: Berth

        init() async throws {
            dispute = try await Dispute(.stale)
            try dispute.test.seed { try Berth.create(in: $0, number: 2).name = "base" }
            first = dispute.berth
            second = try #require(
                try Berth.findFirst(by: \.number, 2, in: dispute.context))
        }

        func heard(_ body: @escaping @Sendable (Berth) throws -> Void) async throws {
            let id = first.objectID
            try await dispute.test.stack.saveWithBlock { try body(Berth.existing(id, in: $0)) }
        }

        func unheard(_ body: @escaping @Sendable (Berth) throws -> Void) async throws {
            let id = second.objectID
            try await dispute.other.saveWithBlock { try body(Berth.existing(id, in: $0)) }
        }

        func stored() throws -> [String] {
            let context = dispute.other.newContext()
            return try Berth.find(in: context).sorted { $0.number < $1.number }.map(\.name)
        }
    }

    private static let winners = [
        "storeTrump": "theirs", "objectTrump": "ours", "overwrite": "ours", "rollback": "theirs",
    ]

    @Test(arguments: winners.keys.sorted())
    func `a policy resolves conflicts with merged saves and saves not yet merged`(
        policy: String
    ) async throws {
        let two = try await Two()
        (two.first.name, two.second.name) = ("ours", "ours")
        try await two.heard { $0.name = "theirs" }
        try await two.unheard { $0.name = "theirs" }
        try await two.dispute.save(MergePolicyTests.policy(policy))
        let winner = Self.winners[policy]!
        #expect([two.first.name, two.second.name] == [winner, winner])
        #expect(try two.stored() == [winner, winner])
        // Nothing is left that a plain save would write over the other side's values.
        #expect(try await two.dispute.context.save() == .noChanges)
        #expect(try two.stored() == [winner, winner])
    }

    @Test
    func `values from a custom policy win over merged and not yet merged saves`() async throws {
        let two = try await Two()
        (two.first.name, two.second.name) = ("ours", "ours")
        try await two.heard { $0.name = "theirs" }
        try await two.unheard { $0.name = "theirs" }
        try await two.dispute.save(.custom { _ in .values(["name": "given"]) })
        #expect([two.first.name, two.second.name] == ["given", "given"])
        #expect(try two.stored() == ["given", "given"])
    }

    @Test(arguments: ["storeTrump", "rollback"])
    func `a save's policy accepts a merged edit and a deletion not yet merged`(
        policy: String
    ) async throws {
        let two = try await Two()
        (two.first.name, two.second.name) = ("ours", "ours")
        try await two.heard { $0.name = "theirs" }
        try await two.unheard { try $0.delete() }
        try await two.dispute.save(MergePolicyTests.policy(policy))
        #expect(two.first.name == "theirs" && two.second.objectState == .detached)
        #expect(try await two.dispute.context.save() == .noChanges)
    }

    @Test(arguments: winners.keys.sorted())
    func `a policy resolves conflicts with two saves of a row, one unmerged`(
        policy: String
    ) async throws {
        let dispute = try await Dispute(.stale)
        let (berth, id) = (dispute.berth, dispute.id)
        (berth.name, berth.count) = ("ours", 11)
        try await dispute.test.stack.saveWithBlock {
            try Berth.existing(id, in: $0).name = "theirs"
        }
        try await dispute.there { berth, _ in berth.note = "unheard" }
        try await dispute.save(MergePolicyTests.policy(policy))
        let wanted = Self.winners[policy]!
        #expect(berth.name == wanted)
        #expect(try dispute.stored(\.name) == wanted)
        let note = policy == "overwrite" ? "base" : "unheard"
        let count = policy == "rollback" ? 10 : 11
        #expect(try dispute.stored(\.note) == note && dispute.stored(\.count) == count)
        // If nothing of the row was written, its note has not been read yet.
        if policy == "rollback" { try dispute.context.refresh(berth) }
        #expect(berth.note == note && berth.count == count)
        #expect(try await dispute.context.save() == .noChanges)
    }

    @Test func `the rollback policy keeps a child's edit after its parent's save`() async throws {
        let dispute = try await Dispute(.parent)
        try Berth.existing(dispute.id, in: dispute.parent).note = "parent's"
        #expect(try Berth.count(in: dispute.context) == 1)
        dispute.berth.name = "child's"
        try await dispute.parent.save()
        try await dispute.save(.rollback)
        #expect(dispute.berth.name == "child's" && dispute.berth.note == "parent's")
        #expect(try dispute.stored(\.name) == "child's")
    }

    @Test func `the rollback policy discards a child's edit of a row saved elsewhere`() async throws
    {
        let dispute = try await Dispute(.parent)
        let id = dispute.id
        try Berth.existing(id, in: dispute.parent).note = "parent's"
        #expect(try Berth.count(in: dispute.context) == 1)
        dispute.berth.name = "child's"
        try await dispute.parent.save()
        try await dispute.test.stack.saveWithBlock { try Berth.existing(id, in: $0).count = 12 }
        try await dispute.save(.rollback)
        #expect(dispute.berth.name == "base" && dispute.berth.note == "parent's")
        #expect(dispute.berth.count == 12)
    }

    @Test func `the rollback policy drops a child's edit if a save equals its parent's`()
        async throws
    {
        let dispute = try await Dispute(.parent)
        let id = dispute.id
        try Berth.existing(id, in: dispute.parent).note = "same"
        #expect(try Berth.count(in: dispute.context) == 1)
        dispute.berth.name = "child's"
        try await dispute.test.stack.saveWithBlock { try Berth.existing(id, in: $0).note = "same" }
        try await dispute.save(.rollback)
        #expect(dispute.berth.name == "base" && dispute.berth.note == "same")
    }
}
