import RecordStack
import RecordStackModel
import TestSupport
import Testing

/// Members that both sides added, removed or moved, and members of objects that one side deleted.
/// They are never a conflict, whatever the policy.
@Suite("Merge policies and members") struct MembersPolicyTests {
    private static let policies = MergePolicyTests.policies.map(\.name)

    private func save(_ dispute: Dispute, _ policy: String) async throws {
        try await dispute.save(MergePolicyTests.policy(policy))
        if dispute.rival == .stale { dispute.context.refreshAllObjects() }
    }

    /// Returns a dispute over a berth with three buoys in line.
    private func disputeOfThree(_ rival: Rival) async throws -> Dispute {
        let dispute = try await Dispute(rival)
        for name in ["ours", "theirs"] {
            dispute.berth.line.append(try Self.buoy(name, dispute.context))
        }
        try await dispute.context.save()
        return dispute
    }

    private static func buoy(_ name: String, _ context: ManagedObjectContext) throws -> Buoy {
        try Buoy.one(in: context) { $0.name == name }
    }

    @Test(arguments: policies, Rival.allCases)
    func `two contexts can remove the same member and add different members`(
        policy: String, rival: Rival
    ) async throws {
        let dispute = try await Dispute(rival)
        dispute.berth.buoys.remove(try Self.buoy("base", dispute.context))
        dispute.berth.buoys.insert(try Self.buoy("ours", dispute.context))
        try await dispute.there { berth, context in
            berth.buoys.remove(try Self.buoy("base", context))
            berth.buoys.insert(try Self.buoy("theirs", context))
        }
        try await save(dispute, policy)
        #expect(try dispute.stored { Set($0.buoys.map(\.name)) } == ["ours", "theirs"])
        #expect(Set(dispute.berth.buoys.map(\.name)) == ["ours", "theirs"])
    }

    @Test(arguments: policies, Rival.allCases)
    func `two contexts can add the same member while one removes another`(
        policy: String, rival: Rival
    ) async throws {
        let dispute = try await Dispute(rival)
        dispute.berth.buoys.remove(try Self.buoy("base", dispute.context))
        dispute.berth.buoys.insert(try Self.buoy("ours", dispute.context))
        try await dispute.there { berth, context in
            berth.buoys.insert(try Self.buoy("ours", context))
        }
        try await save(dispute, policy)
        #expect(try dispute.stored { $0.buoys.map(\.name) } == ["ours"])
        #expect(dispute.berth.buoys.map(\.name) == ["ours"])
    }

    @Test(arguments: policies, Rival.allCases)
    func `the later save decides the position of a member moved in two contexts`(
        policy: String, rival: Rival
    ) async throws {
        let dispute = try await disputeOfThree(rival)
        dispute.berth.line.move(from: 0, to: 2)
        try await dispute.there { berth, _ in berth.line.move(from: 0, to: 1) }
        try await save(dispute, policy)
        let wanted = ["ours", "theirs", "base"]
        #expect(try dispute.stored { $0.line.map(\.name) } == wanted)
        #expect(dispute.berth.line.map(\.name) == wanted)
    }

    @Test(arguments: policies, Rival.allCases)
    func `positions that two contexts give to different members are both kept`(
        policy: String, rival: Rival
    ) async throws {
        let dispute = try await disputeOfThree(rival)
        // Here the first member moves to the end, and elsewhere the last moves before the second.
        dispute.berth.line.move(from: 0, to: 2)
        try await dispute.there { berth, _ in berth.line.move(from: 2, to: 1) }
        try await save(dispute, policy)
        let wanted = ["theirs", "ours", "base"]
        #expect(try dispute.stored { $0.line.map(\.name) } == wanted)
        #expect(dispute.berth.line.map(\.name) == wanted)
    }

    @Test(arguments: policies, Rival.allCases)
    func `adding members to an object deleted elsewhere clears their reference`(
        policy: String, rival: Rival
    ) async throws {
        let dispute = try await Dispute(rival)
        let harbour = try Harbour.one(in: dispute.context) { $0.name == "theirs" }
        let new = try Berth.create(in: dispute.context, number: 2)
        harbour.berths.insert(new)
        harbour.berths.insert(dispute.berth)
        try await dispute.there { _, context in
            try Harbour.one(in: context) { $0.name == "theirs" }.delete()
        }
        try await save(dispute, policy)
        #expect(new.harbour == nil && dispute.berth.harbour == nil)
        #expect(try Harbour.count(in: dispute.context) == 2)
        let context = dispute.other.newContext()
        #expect(try Berth.find(in: context).map { $0.harbour?.name } == [nil, nil])
    }

    @Test(arguments: policies, Rival.allCases)
    func `members added elsewhere to an object deleted here lose the reference`(
        policy: String, rival: Rival
    ) async throws {
        let dispute = try await Dispute(rival)
        try Harbour.one(in: dispute.context) { $0.name == "base" }.delete()
        #expect(dispute.berth.harbour == nil)
        try await dispute.there { _, context in
            let new = try Berth.create(in: context, number: 2)
            try Harbour.one(in: context) { $0.name == "base" }.berths.insert(new)
        }
        try await save(dispute, policy)
        #expect(try Harbour.count(in: dispute.context) == 2)
        #expect(try Berth.find(in: dispute.context).map { $0.harbour?.name } == [nil, nil])
        let context = dispute.other.newContext()
        #expect(try Berth.find(in: context).map { $0.harbour?.name } == [nil, nil])
    }
}
