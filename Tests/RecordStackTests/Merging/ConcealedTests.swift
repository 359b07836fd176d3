import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

@Entity final class Chapel: ManagedObject {
    @Relationship(deleteRule: .cascade) var bells: ToMany<Bell>
}

@Entity final class Bell: ManagedObject {
    @Attribute var name: String = ""
    @Relationship(.required, inverse: \Chapel.bells) var chapel: Chapel?
}

/// Edits of objects that were deleted elsewhere, when the objects they refer to are deleted here.
@MainActor @Suite("Orphaned edits") struct ConcealedTests {
    @Test(arguments: [false, true])
    func `an object revived by a parent's rollback references no deleted object`(isNew: Bool)
        async throws
    {
        let test = try TestStack(entities: [Person.self, Team.self], at: .temporaryFile)
        try await test.stack.saveWithBlock { context in
            try Person.create(in: context, email: "ann")
            try Team.create(in: context, title: "A")
        }
        let parent = test.stack.newContext(name: "parent")
        let child = parent.newChild(name: "child")
        let ann = try #require(try Person.findFirst(in: child))
        let team =
            isNew
            ? try Team.create(in: child, title: "B")
            : try #require(try Team.findFirst(in: child))
        (ann.name, ann.team) = ("child's", team)
        try #require(try Person.findFirst(in: parent)).delete()
        #expect(try Person.count(in: child) == 0)
        try team.delete()
        parent.rollback()
        #expect(try Person.count(in: child) == 1)
        #expect(ann.name == "child's" && ann.team == nil)
        try await child.save()
        let seen = test.stack.newContext()
        #expect(try Person.findFirst(in: seen)?.name == "child's")
    }

    @Test(arguments: [false, true])
    func `a re-inserted row has no reference to an object deleted meanwhile`(isNew: Bool)
        async throws
    {
        let test = try TestStack(entities: [Person.self, Team.self], at: .temporaryFile)
        try await test.stack.saveWithBlock { context in
            try Person.create(in: context, email: "ann").team = Team.create(in: context, title: "A")
        }
        let context = test.stack.newContext()
        let ann = try #require(try Person.findFirst(in: context))
        ann.name = "ours"
        let team =
            isNew
            ? try Team.create(in: context, title: "B")
            : try #require(try Team.findFirst(in: context))
        if isNew { ann.team = team }
        try await test.stack.saveWithBlock { try Person.findFirst(in: $0)?.delete() }
        #expect(try Person.count(in: context) == 0)
        try team.delete()
        try await context.save(mergePolicy: .objectTrump)
        #expect(ann.objectState == .persistent && ann.team == nil)
        let seen = test.stack.newContext()
        #expect(try Person.findFirst(in: seen)?.name == "ours")
        #expect(try await test.stack.integrityCheck().isEmpty)
    }

    @Test(arguments: ["storeTrump", "rollback", "objectTrump"])
    func `a cascade includes an edited object that another context deleted`(
        policy: String
    ) async throws {
        let test = try TestStack(entities: [Chapel.self, Bell.self], at: .temporaryFile)
        try test.seed { context in
            try Bell.create(in: context).chapel = Chapel.create(in: context)
        }
        let context = test.stack.newContext()
        let bell = try #require(try Bell.findFirst(in: context))
        let chapel = try #require(bell.chapel)
        bell.name = "ours"
        try await test.stack.saveWithBlock { try Bell.findFirst(in: $0)?.delete() }
        #expect(try Bell.count(in: context) == 0)
        try chapel.delete()
        try await context.save(mergePolicy: MergePolicyTests.policy(policy))
        #expect(bell.objectState == .detached && !context.hasChanges)
        #expect(try Chapel.count(in: test.stack.newContext()) == 0)
    }

    @Test func `a rollback frees the memory of an edited object deleted elsewhere`() async throws {
        let test = try TestStack(entities: [Person.self, Team.self], at: .temporaryFile)
        try await test.stack.saveWithBlock { _ = try Person.create(in: $0, email: "ann") }
        let context = test.stack.newContext()
        weak var held: Person?
        do {
            let ann = try #require(try Person.findFirst(in: context))
            held = ann
            ann.name = "ours"
        }
        try await test.stack.saveWithBlock { try Person.findFirst(in: $0)?.delete() }
        #expect(try Person.count(in: context) == 0)
        context.rollback()
        #expect(held == nil)
        #expect(try await context.save() == .noChanges)
    }
}
