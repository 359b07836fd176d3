import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Ways to set merge policies, custom policies, and policies that fail.
@Suite("Use of merge policies") struct MergePolicyUseTests {
    @Test func `a child inherits the merge policy of its parent`() async throws {
        let dispute = try await Dispute(.merged)
        dispute.context.mergePolicy = .objectTrump
        dispute.berth.name = "ours"
        try await dispute.there { berth, _ in berth.name = "theirs" }
        try await dispute.context.save()
        #expect(try dispute.stored(\.name) == "ours")

        let child = dispute.context.newChild()
        try #require(try Berth.findFirst(in: child)).name = "child"
        try await dispute.there { berth, _ in berth.name = "theirs" }
        try await child.save()
        #expect(try dispute.stored(\.name) == "child")
    }

    @Test func `the merge policy of a save overrides the policy of its context`() async throws {
        let dispute = try await Dispute(.merged)
        dispute.context.mergePolicy = .objectTrump
        dispute.berth.name = "ours"
        try await dispute.there { berth, _ in berth.name = "theirs" }
        await #expect(throws: RecordStackError.self) {
            try await dispute.context.save(mergePolicy: .error)
        }
        try await dispute.context.save(mergePolicy: .storeTrump)
        #expect(try dispute.stored(\.name) == "theirs")
    }

    @Test func `a save block can set the merge policy of its context`() async throws {
        let dispute = try await Dispute(.stale)
        let other = dispute.other
        try await dispute.test.stack.saveWithBlock { context in
            context.mergePolicy = .objectTrump
            try Berth.findFirst(in: context)?.name = "ours"
            try other.saveWithBlockAndWait { try Berth.findFirst(in: $0)?.name = "theirs" }
        }
        #expect(try dispute.stored(\.name) == "ours")
    }

    @Test(arguments: Rival.allCases)
    func `a custom policy can compute a value from both conflicting values`(rival: Rival)
        async throws
    {
        let dispute = try await Dispute(rival)
        dispute.berth.count = 15
        dispute.berth.name = "ours"
        try await dispute.there { berth, _ in (berth.count, berth.name) = (12, "theirs") }
        try await dispute.save(
            .custom { conflict in
                guard let count = conflict.properties.first(where: { $0.name == "count" }),
                    case (let base?, let ours?, let theirs?) = count.values(as: Int.self)
                else { return .fail }
                return .values(["count": ours + theirs - base])
            })
        #expect(dispute.berth.count == 17 && dispute.berth.name == "ours")
        #expect(try dispute.stored(\.count) == 17)
        #expect(try dispute.stored(\.name) == "ours")
    }

    @Test(arguments: Rival.allCases)
    func `a custom policy can re-insert a deleted object with other values`(
        rival: Rival
    ) async throws {
        let dispute = try await Dispute(rival)
        dispute.berth.name = "ours"
        try await dispute.there { berth, _ in try berth.delete() }
        try await dispute.save(
            .custom { conflict in
                #expect(conflict.kind == .deletedElsewhere)
                return .values(["note": "back"])
            })
        #expect(dispute.berth.name == "ours" && dispute.berth.note == "back")
        #expect(try dispute.stored(\.note) == "back")
    }

    @Test(arguments: Rival.allCases)
    func `a value from a custom policy is validated`(rival: Rival) async throws {
        let dispute = try await Dispute(rival)
        dispute.berth.depth = 2
        try await dispute.there { berth, _ in berth.depth = 1 }
        let error = await #expect(throws: RecordStackError.self) {
            try await dispute.save(.custom { _ in .values(["depth": -2]) })
        }
        #expect(error?.code == .validation && error?.failures.map(\.property) == ["depth"])
        // A parent's value is not saved yet.
        #expect(try dispute.stored(\.depth) == (rival == .parent ? 0 : 1))
        #expect(dispute.berth.depth == 2)
    }

    @Test func `a custom policy that throws or gives invalid values fails the save`() async throws {
        struct Stop: Error {}
        let dispute = try await Dispute(.stale)
        dispute.berth.name = "ours"
        try await dispute.there { berth, _ in berth.name = "theirs" }
        await #expect(throws: Stop.self) {
            try await dispute.context.save(mergePolicy: .custom { _ in throw Stop() })
        }
        for values in [["nome": 1], ["name": 1]] as [[String: any AttributeValue]] {
            let error = await #expect(throws: RecordStackError.self) {
                try await dispute.context.save(mergePolicy: .custom { _ in .values(values) })
            }
            #expect(error?.code == .misuse)
        }
        let stack = dispute.test.stack
        let error = await #expect(throws: RecordStackError.self) {
            try await dispute.context.save(
                mergePolicy: .custom { _ in
                    try stack.saveWithBlockAndWait { _ in }
                    return .fail
                })
        }
        #expect(error?.code == .misuse)
        #expect(dispute.berth.name == "ours" && dispute.context.hasChanges)
        #expect(try dispute.stored(\.name) == "theirs")
    }

    /// A save that fails discards nothing.
    @Test(arguments: ["storeTrump", "rollback", "objectTrump"], Rival.allCases)
    func `a save that fails despite its merge policy discards no edits`(
        policy: String, rival: Rival
    ) async throws {
        let dispute = try await Dispute(rival)
        dispute.berth.name = "ours"
        try await dispute.there { berth, _ in berth.name = "theirs" }
        // The number is taken.
        let second = try Berth.create(in: dispute.context, number: 1)
        let policy = MergePolicyTests.policy(policy)
        let error = await #expect(throws: RecordStackError.self) {
            try await dispute.context.save(mergePolicy: policy)
        }
        #expect(error?.code == .constraint)
        #expect(dispute.berth.name == "ours" && dispute.context.hasChanges)
        second.number = 9
        try await dispute.save(.objectTrump)
        #expect(
            try Berth.findFirst(by: \.number, 1, in: dispute.other.newContext())?.name == "ours")
    }

    /// An edit during the save changes the captured value, not the value that the policy has
    /// chosen.
    @MainActor
    @Test
    func `an edit during a save conflicts with the value that its policy chose`() async throws {
        let gated = try GatedStack(Berth.self, Harbour.self, Buoy.self)
        let stack = gated.stack
        let context = gated.context
        let berth = try Berth.create(in: context, number: 1)
        let second = try Berth.create(in: context, number: 2)
        try await context.save()
        let id = berth.objectID
        berth.name = "ours"
        second.name = "saved"
        try await stack.saveWithBlock { try Berth.existing(id, in: $0).name = "theirs" }
        context.mergePolicy = .storeTrump
        try await gated.whileSaving { berth.name = "later" }
        #expect(berth.name == "later" && berth.hasChanges)
        context.mergePolicy = .error
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        let property = try #require(error?.conflicts.first?.properties.first)
        #expect(property.base == .text("ours") && property.ours == .text("later"))
        #expect(property.theirs == .text("theirs"))
        try berth.resolveConflict(on: \.name, keeping: .ours)
        try await context.save()
        #expect(try Berth.findFirst(by: \.number, 1, in: stack.newContext())?.name == "later")
    }

    @Test func `a conflict's description is a table of base, ours and theirs`() async throws {
        let dispute = try await Dispute(.merged)
        (dispute.berth.name, dispute.berth.count) = ("ours", 11)
        try await dispute.there { berth, _ in (berth.name, berth.count) = ("theirs", 1_234) }
        let error = await #expect(throws: RecordStackError.self) {
            try await dispute.context.save()
        }
        let lines = try #require(error?.conflicts.first).description.split(separator: "\n")
        #expect(
            lines.dropFirst() == [
                "  property  base    ours    theirs",
                "  name      \"base\"  \"ours\"  \"theirs\"",
                "  count     10      11      1234",
            ])
    }
}

/// Merge policies of a push.
@Suite("Merge policies of a push") struct MergePolicyPushTests {
    @Test(arguments: MergePolicyTests.policies.map(\.name))
    func `a push's policy resolves conflicts with later edits of the parent`(
        policy: String
    ) async throws {
        let dispute = try await Dispute(.parent)
        (dispute.berth.name, dispute.berth.count) = ("ours", 11)
        try await dispute.there { berth, _ in (berth.name, berth.note) = ("theirs", "theirs") }
        if policy == "error" {
            #expect(throws: RecordStackError.self) { try dispute.context.push() }
            #expect(dispute.berth.name == "ours")
            return
        }
        try dispute.context.push(mergePolicy: MergePolicyTests.policy(policy))
        let isOurs = policy == "objectTrump" || policy == "overwrite"
        let above = try #require(try Berth.findFirst(in: dispute.parent))
        for berth in [above, try #require(try Berth.findFirst(in: dispute.context))] {
            #expect(berth.name == (isOurs ? "ours" : "theirs") && berth.note == "theirs")
            #expect(berth.count == (policy == "rollback" ? 10 : 11))
        }
        #expect(!dispute.context.hasChanges && dispute.parent.hasChanges)
        try await dispute.parent.save()
        #expect(try dispute.stored(\.name) == above.name)
    }

    @Test(arguments: MergePolicyTests.policies.map(\.name))
    func `a push's policy resolves an edit of an object the parent deletes`(
        policy: String
    ) async throws {
        let dispute = try await Dispute(.parent)
        dispute.berth.name = "ours"
        try await dispute.there { berth, _ in try berth.delete() }
        if policy == "error" {
            #expect(throws: RecordStackError.self) { try dispute.context.push() }
            return
        }
        try dispute.context.push(mergePolicy: MergePolicyTests.policy(policy))
        let isOurs = policy == "objectTrump" || policy == "overwrite"
        for context in [dispute.context, dispute.parent] {
            #expect(try Berth.find(in: context).map(\.name) == (isOurs ? ["ours"] : []))
        }
        try await dispute.parent.save()
        #expect(try dispute.stored(\.name) == (isOurs ? "ours" : nil))
        #expect(try Berth.count(in: dispute.context) == (isOurs ? 1 : 0))
    }
}
