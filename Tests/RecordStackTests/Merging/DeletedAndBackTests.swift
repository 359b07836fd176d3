import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Rows that are deleted and re-inserted, or inserted after all rows were deleted, while other
/// contexts merge late.
@MainActor @Suite("Re-inserted rows") struct DeletedAndBackTests {
    @Test func `a row that one save re-inserts stays if another drops edits of it`()
        async throws
    {
        let gated = try GatedStack(Person.self, Team.self)
        let stack = gated.stack
        try await stack.saveWithBlock {
            for name in ["ann", "bob"] { try Person.create(in: $0, email: name) }
        }
        let (a, b) = (stack.newContext(name: "a"), stack.newContext(name: "b"))
        let watcher = stack.newContext(name: "watcher")
        let ann = try #require(try Person.findFirst(by: \.email, "ann", in: a))
        ann.name = "a's"
        try #require(try Person.findFirst(by: \.email, "ann", in: b)).name = "b's"
        try #require(try Person.findFirst(by: \.email, "bob", in: b)).name = "b's"
        try await stack.saveWithBlock {
            try #require(try Person.findFirst(by: \.email, "ann", in: $0)).delete()
        }
        // Both contexts have merged the deletion.
        #expect(try Person.count(in: a) == 1 && Person.count(in: b) == 1)
        gated.gate.close(at: "COMMIT")
        let first = Task { try await a.save(mergePolicy: .objectTrump) }
        await gated.gate.waitUntilHeld()
        let second = Task { try await b.save(mergePolicy: .storeTrump) }
        try await Task.sleep(for: .milliseconds(50))
        gated.gate.open()
        _ = try await (first.value, second.value)
        #expect(try Person.count(in: a) == 2)
        #expect(ann.objectState == .persistent && ann.name == "a's" && !a.hasChanges)
        let seen = try Person.find(in: watcher).sorted { $0.email < $1.email }.map(\.name)
        #expect(seen == ["a's", "b's"])
        // The row is there again, and conflicts with the edits that were discarded.
        try await b.save(mergePolicy: .storeTrump)
        #expect(try Person.findFirst(by: \.email, "ann", in: b)?.name == "a's")
        #expect(!b.hasChanges)
    }

    @Test(arguments: [false, true])
    func `merging a deletion keeps the object if its row was re-inserted by then`(byFind: Bool)
        async throws
    {
        let test = try TestStack(
            entities: [Person.self, Team.self], at: .temporaryFile)
        let stack = test.stack
        try await stack.saveWithBlock { _ = try Person.create(in: $0, email: "ann") }
        let (rival, late) = (stack.newContext(name: "rival"), stack.newContext(name: "late"))
        let ann = try #require(try Person.findFirst(in: rival))
        ann.name = "back"
        let person = try #require(try late.object(ann.objectID) as? Person)
        if byFind { late.suspendMerging() }
        try await stack.saveWithBlock { try #require(try Person.findFirst(in: $0)).delete() }
        try await rival.save(mergePolicy: .objectTrump)
        if byFind {
            #expect(try Person.find(in: late).count == 1)
            late.resumeMerging()
        }
        #expect(person.name == "back")
        #expect(try Person.count(in: late) == 1)
        #expect(person.objectState == .persistent && person.name == "back")
    }

    @Test func `merging a deletion keeps references if the row was re-inserted by then`()
        async throws
    {
        let test = try TestStack(
            entities: [Person.self, Team.self], at: .temporaryFile)
        let stack = test.stack
        try await stack.saveWithBlock {
            try Team.create(in: $0, title: "A")
            try Person.create(in: $0, email: "ann")
        }
        let (rival, late) = (stack.newContext(name: "rival"), stack.newContext(name: "late"))
        try #require(try Team.findFirst(in: rival)).title = "back"
        let ann = try #require(try Person.findFirst(in: late))
        ann.team = try Team.findFirst(in: late)
        try await stack.saveWithBlock { try #require(try Team.findFirst(in: $0)).delete() }
        try await rival.save(mergePolicy: .objectTrump)
        #expect(try Person.count(in: late) == 1)
        #expect(ann.team?.title == "back")
        try await late.save()
        let context = stack.newContext()
        #expect(try Person.findFirst(in: context)?.team?.title == "back")
    }

    @Test
    func `a row inserted after a batch deletion survives a merge of the deletion`() async throws {
        let test = try TestStack(entities: [Animal.self, Dog.self], at: .temporaryFile)
        let stack = test.stack
        let (early, late) = (stack.newContext(name: "early"), stack.newContext(name: "late"))
        // So many objects that the context keeps leased keys, which are lower than the next keys.
        for number in 0..<20 { try Animal.create(in: early, name: "\(number)") }
        try await early.save()
        try await stack.saveWithBlock { context in
            for number in 0..<2_000 { try Animal.create(in: context, name: "\(number)") }
        }
        late.suspendMerging()
        #expect(try await stack.delete(Animal.all) == 2_020)
        try Animal.create(in: early, name: "new")
        try await early.save()
        let new = try #require(try Animal.findFirst(in: late))
        #expect(new.name == "new" && new.objectID.key < 2_000)
        late.resumeMerging()
        #expect(try Animal.count(in: late) == 1)
        #expect(new.objectState == .persistent && new.name == "new")
    }

    @Test(arguments: ["storeTrump", "rollback"])
    func `storeTrump and rollback drop edits of a re-inserted row deleted again`(
        policy: String
    ) async throws {
        let stacks = try TwoStacks.ofPeople { _ = try Person.create(in: $0, email: "ann") }
        let stack = stacks.here
        let (rival, late) = (stack.newContext(name: "rival"), stack.newContext(name: "late"))
        try #require(try Person.findFirst(in: rival)).name = "back"
        try await stack.saveWithBlock { try #require(try Person.findFirst(in: $0)).delete() }
        try await rival.save(mergePolicy: .objectTrump)
        let ann = try #require(try Person.findFirst(in: late))
        ann.name = "late's"
        let other = stacks.other
        // A batch deletion that merges another save throws a conflict and must be called again.
        other.hearOthers()
        #expect(try await other.delete(Person.all) == 1)
        #expect(try await eventually { try Person.count(in: late) == 0 })
        try await late.save(mergePolicy: MergePolicyTests.policy(policy))
        #expect(ann.objectState == .detached && !late.hasChanges)
        #expect(try Person.count(in: late) == 0)
        try other.close()
    }

    @Test
    func `deleting a re-inserted row conflicts with another stack's later change`() async throws {
        let stacks = try TwoStacks.ofPeople(interval: nil) {
            _ = try Person.create(in: $0, email: "ann")
        }
        let other = stacks.other
        let rival = other.newContext(name: "rival")
        try #require(try Person.findFirst(in: rival)).name = "back"
        try await other.saveWithBlock { try #require(try Person.findFirst(in: $0)).delete() }
        try await rival.save(mergePolicy: .objectTrump)
        let context = stacks.here.newContext()
        let ann = try #require(try Person.findFirst(in: context))
        #expect(ann.name == "back")
        try ann.delete()
        try await other.saveWithBlock { try #require(try Person.findFirst(in: $0)).age = 5 }
        stacks.here.hearOthers()
        #expect(try Person.count(in: context) == 0)
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.conflicts.map(\.kind) == [.deletedHere])
        try await context.save(mergePolicy: .objectTrump)
        #expect(try Person.count(in: stacks.here.newContext()) == 0)
        try other.close()
    }

    @Test(arguments: ["objectTrump", "overwrite"])
    func `the later of two saves that re-insert a row updates the row`(
        policy: String
    ) async throws {
        let gated = try GatedStack(Person.self, Team.self)
        let stack = gated.stack
        try await stack.saveWithBlock { _ = try Person.create(in: $0, email: "ann") }
        let (a, b) = (stack.newContext(name: "a"), stack.newContext(name: "b"))
        let ann = try #require(try Person.findFirst(in: a))
        (ann.name, ann.age) = ("a's", 5)
        let same = try #require(try Person.findFirst(in: b))
        same.name = "b's"
        try await stack.saveWithBlock { try #require(try Person.findFirst(in: $0)).delete() }
        // Both contexts have merged the deletion.
        #expect(try Person.count(in: a) == 0 && Person.count(in: b) == 0)
        gated.gate.close(at: "COMMIT")
        let first = Task { try await a.save(mergePolicy: .objectTrump) }
        await gated.gate.waitUntilHeld()
        let second = Task { try await b.save(mergePolicy: MergePolicyTests.policy(policy)) }
        try await Task.sleep(for: .milliseconds(50))
        gated.gate.open()
        _ = try await (first.value, second.value)
        #expect(same.name == "b's" && same.objectState == .persistent && !b.hasChanges)
        let wanted = ["b's \(policy == "overwrite" ? 0 : 5)"]
        for context in [a, b, stack.newContext()] {
            let found = try Person.find(in: context).map { "\($0.name) \($0.age ?? 0)" }
            #expect(found == wanted)
        }
        same.name = "next"
        try await b.save()
        #expect(try Person.findFirst(in: a)?.name == "next")
    }

    @Test func `a save updates a row that another stack re-inserted meanwhile`() async throws {
        let stacks = try TwoStacks.ofPeople(interval: nil) {
            _ = try Person.create(in: $0, email: "ann")
        }
        let (here, other) = (stacks.here, stacks.other)
        let parent = here.newContext(name: "parent")
        let child = parent.newChild(name: "child")
        let (back, third) = (other.newContext(name: "back"), here.newContext(name: "third"))
        try #require(try Person.findFirst(in: parent)).name = "parent's"
        let ann = try #require(try Person.findFirst(in: child))
        ann.age = 7
        let thirds = try #require(try Person.findFirst(in: third))
        thirds.isActive = false
        try #require(try Person.findFirst(in: back)).name = "back"
        try await other.saveWithBlock { try Person.findFirst(in: $0)?.delete() }
        here.hearOthers()
        #expect(try Person.count(in: child) == 0 && Person.count(in: third) == 0)
        try await back.save(mergePolicy: .objectTrump)
        #expect(try await child.save(mergePolicy: .objectTrump) == .saved(.updating(1)))
        #expect(try Person.count(in: child) == 1)
        #expect(ann.objectState == .persistent && !child.hasChanges && !parent.hasChanges)
        #expect(ann.name == "parent's" && ann.age == 7 && ann.isActive)
        let seen = try #require(try Person.snapshots(in: other.newContext()).first)
        #expect(seen.name == "parent's" && seen.age == 7)
        // Other contexts that had changed the object show it again, too.
        #expect(try Person.count(in: third) == 1)
        #expect(thirds.name == "parent's" && thirds.age == 7 && !thirds.isActive)
        try await third.save()
        here.hearOthers()
        ann.age = 8
        try await child.save()
        let last = try #require(try Person.snapshots(in: other.newContext()).first)
        #expect(last.age == 8 && !last.isActive)
        try other.close()
    }

}
