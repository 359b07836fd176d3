import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

@Entity final class Mooring: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship var ferries: OrderedToMany<Ferry>
}

@Entity final class Ferry: ManagedObject {
    @Attribute(.unique) var name: String
    @Attribute var note: String = ""
    @Relationship(inverse: \Mooring.ferries) var mooring: Mooring?
}

/// An ordered to-many relationship whose members have one owner each.
@Suite("Merge policies and ordered members") struct OrderedMembersPolicyTests {
    private struct Harbours {
        let rival: Rival
        let test: TestStack
        let other: ContextStack
        let parent: ManagedObjectContext
        let context: ManagedObjectContext
        let ferry: Ferry

        init(_ rival: Rival) throws {
            self.rival = rival
            test = try TestStack(
                entities: [Mooring.self, Ferry.self], at: .temporaryFile, options: .hearingOfNobody)
            try test.seed { context in
                let base = try Mooring.create(in: context, name: "base")
                for name in ["ours", "theirs"] { try Mooring.create(in: context, name: name) }
                for name in ["a", "b", "c"] {
                    base.ferries.append(try Ferry.create(in: context, name: name))
                }
            }
            other = try ContextStack(
                for: Mooring.self, Ferry.self, at: .file(#require(test.path)),
                options: .hearingOfNobody)
            parent = test.stack.newContext(name: "parent")
            context = rival == .parent ? parent.newChild() : parent
            ferry = try #require(try Ferry.findFirst(by: \.name, "a", in: context))
            _ = ferry.mooring?.ferries.map(\.name)
        }

        func there(_ body: @escaping @Sendable (ManagedObjectContext) throws -> Void) async throws {
            try await rival.act(in: test.stack, other: other, parent: parent, body)
        }

        var stored: [String: [String]] {
            get throws {
                let context = other.newContext()
                let found = try Mooring.find(in: context).map { ($0.name, $0.ferries.map(\.name)) }
                return Dictionary(uniqueKeysWithValues: found)
            }
        }
    }

    @Test(arguments: MergePolicyTests.policies.map(\.name), Rival.allCases)
    func `each merge policy resolves moves of one member to two different owners`(
        policy: String, rival: Rival
    ) async throws {
        let harbours = try Harbours(rival)
        harbours.ferry.mooring = try Mooring.findFirst(by: \.name, "ours", in: harbours.context)
        try await harbours.there { context in
            let ferry = try Ferry.findFirst(by: \.name, "a", in: context)
            ferry?.mooring = try Mooring.findFirst(by: \.name, "theirs", in: context)
        }
        let save = { try await harbours.context.save(mergePolicy: MergePolicyTests.policy(policy)) }
        if policy == "error" {
            let error = await #expect(throws: RecordStackError.self) { _ = try await save() }
            #expect(error?.conflicts.map(\.objectID) == [harbours.ferry.objectID])
            #expect(error?.conflicts.first?.properties.map(\.name) == ["mooring"])
            #expect(harbours.ferry.mooring?.name == "ours")
            return
        }
        _ = try await save()
        let wanted = policy == "objectTrump" || policy == "overwrite" ? "ours" : "theirs"
        var all = ["base": ["b", "c"], "ours": [], "theirs": []]
        all[wanted] = ["a"]
        #expect(try harbours.stored == all)
        if rival == .stale { harbours.context.refreshAllObjects() }
        #expect(harbours.ferry.mooring?.name == wanted)
        #expect(harbours.ferry.mooring?.ferries.map(\.name) == ["a"])
    }

    @Test(arguments: MergePolicyTests.policies.map(\.name), Rival.allCases)
    func `members that two contexts add to an ordered relationship are all kept`(
        policy: String, rival: Rival
    ) async throws {
        let harbours = try Harbours(rival)
        let base = try #require(try Mooring.findFirst(by: \.name, "base", in: harbours.context))
        base.ferries.insert(try Ferry.create(in: harbours.context, name: "x"), at: 0)
        try await harbours.there { context in
            let base = try Mooring.findFirst(by: \.name, "base", in: context)
            base?.ferries.append(try Ferry.create(in: context, name: "y"))
        }
        try await harbours.context.save(mergePolicy: MergePolicyTests.policy(policy))
        #expect(try harbours.stored["base"] == ["x", "a", "b", "c", "y"])
        if rival == .stale { harbours.context.refreshAllObjects() }
        #expect(base.ferries.map(\.name) == ["x", "a", "b", "c", "y"])
    }

    @Test func `upserting a deleted member's snapshot puts the member last in order`() async throws
    {
        let test = try TestStack(for: Mooring.self, Ferry.self) { context in
            let base = try Mooring.create(in: context, name: "base")
            for name in ["a", "b", "c"] {
                base.ferries.append(try Ferry.create(in: context, name: name))
            }
        }
        let before = test.stack.newContext()
        let snapshot = try #require(try Ferry.snapshots(in: before).first { $0.name == "a" })
        try await test.stack.saveWithBlock {
            try Ferry.findFirst(by: \.name, "a", in: $0)?.delete()
        }
        let context = test.stack.newContext()
        try Ferry.upsert([snapshot], in: context)
        try await context.save()
        let seen = test.stack.newContext()
        #expect(try Mooring.findFirst(in: seen)?.ferries.map(\.name) == ["b", "c", "a"])
    }
}
