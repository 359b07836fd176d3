import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Conflicts of which a context has heard when it saves, together with some that only the store finds.
@Suite struct TwiceFoundConflictTests {
    /// A dispute of two berths: of what is done to the first the context hears, of the second's it does not.
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
    func `both are settled by the policy`(policy: String) async throws {
        let two = try await Two()
        (two.first.name, two.second.name) = ("ours", "ours")
        try await two.heard { $0.name = "theirs" }
        try await two.unheard { $0.name = "theirs" }
        try await two.dispute.save(MergePolicyTests.policy(policy))
        let winner = Self.winners[policy]!
        #expect([two.first.name, two.second.name] == [winner, winner])
        #expect(try two.stored() == [winner, winner])
        // Nothing is left that a plain save would write over theirs.
        #expect(try await two.dispute.context.save() == .noChanges)
        #expect(try two.stored() == [winner, winner])
    }

    @Test func `values that a policy gives settle both`() async throws {
        let two = try await Two()
        (two.first.name, two.second.name) = ("ours", "ours")
        try await two.heard { $0.name = "theirs" }
        try await two.unheard { $0.name = "theirs" }
        try await two.dispute.save(.custom { _ in .values(["name": "given"]) })
        #expect([two.first.name, two.second.name] == ["given", "given"])
        #expect(try two.stored() == ["given", "given"])
    }

    @Test(arguments: ["storeTrump", "rollback"])
    func `so is a deletion of which nobody has heard`(policy: String) async throws {
        let two = try await Two()
        (two.first.name, two.second.name) = ("ours", "ours")
        try await two.heard { $0.name = "theirs" }
        try await two.unheard { try $0.delete() }
        try await two.dispute.save(MergePolicyTests.policy(policy))
        #expect(two.first.name == "theirs" && two.second.objectState == .detached)
        #expect(try await two.dispute.context.save() == .noChanges)
    }

    @Test(arguments: winners.keys.sorted())
    func `of one object both are settled`(policy: String) async throws {
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
        // Where nothing of the row was written, its note is still unheard of.
        if policy == "rollback" { try dispute.context.refresh(berth) }
        #expect(berth.note == note && berth.count == count)
        #expect(try await dispute.context.save() == .noChanges)
    }

    @Test func `what a parent saved after it was seen is nothing that a child gives way to`()
        async throws
    {
        let dispute = try await Dispute(.parent)
        try Berth.existing(dispute.id, in: dispute.parent).note = "parent's"
        #expect(try Berth.count(in: dispute.context) == 1)
        dispute.berth.name = "child's"
        try await dispute.parent.save()
        try await dispute.save(.rollback)
        #expect(dispute.berth.name == "child's" && dispute.berth.note == "parent's")
        #expect(try dispute.stored(\.name) == "child's")
    }

    @Test func `what others saved besides is`() async throws {
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

    @Test func `so is what others saved that is as the parent had it`() async throws {
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
