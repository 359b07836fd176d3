import RecordStack
import RecordStackTesting
import Testing

/// Saves of other contexts while a context has suspended merging.
@MainActor
@Suite("Suspended merging") struct SuspendedMergingTests {
    private let test: TestStack
    private let context: ManagedObjectContext
    private let ann: Person
    private let bob: Person

    init() throws {
        test = try TestStack(for: Person.self, Team.self) { context in
            let team = try Team.create(in: context, title: "A")
            try Person.create(in: context, email: "ann", name: "1").team = team
            try Person.create(in: context, email: "bob", name: "1").team = team
        }
        context = test.stack.defaultContext
        ann = try #require(try Person.findFirst(by: \.email, "ann", in: context))
        bob = try #require(try Person.findFirst(by: \.email, "bob", in: context))
    }

    /// Changes Ann, deletes Bob and creates Cat.
    private func change(_ name: String = "2") async throws {
        try await test.stack.saveWithBlock { context in
            try Person.findFirst(by: \.email, "ann", in: context)?.name = name
            try Person.findFirst(by: \.email, "bob", in: context)?.delete()
            try Person.create(in: context, email: "cat").team = Team.findFirst(in: context)
        }
    }

    @Test
    func `a context merges nothing until merging resumes, and then all commits`() async throws {
        let team = try #require(ann.team)
        #expect(team.members.count == 2)
        context.suspendMerging()
        try await change()
        #expect(ann.name == "1" && bob.objectState == .persistent && team.members.count == 2)
        test.recorder.reset()
        context.resumeMerging()
        #expect(ann.name == "2" && bob.objectState == .detached)
        #expect(test.recorder.statements.isEmpty)
        #expect(team.members.map(\.email) == ["ann", "cat"])
    }

    @Test func `requests find what other contexts saved while merging is suspended`() async throws {
        context.suspendMerging()
        try await change()
        #expect(try Person.count(in: context) == 2)
        #expect(ann.name == "1")
        let found = try Person.find(sortedBy: .ascending(\.email), in: context)
        #expect(found.map(\.email) == ["ann", "cat"] && ann.name == "2")
        #expect(bob.objectState == .persistent && bob.email == "bob")
        context.resumeMerging()
        #expect(bob.objectState == .detached)
    }

    @Test
    func `suspendMerging() works after a withMergingSuspended whose body resumed`() async throws {
        await context.withMergingSuspended {
            await Task.yield()
            context.resumeMerging()
        }
        context.suspendMerging()
        #expect(context.isMergingSuspended)
        try await change()
        #expect(ann.name == "1")
        context.resumeMerging()
        #expect(ann.name == "2" && !context.isMergingSuspended)
    }

    @Test func `withMergingSuspended resumes when its body returns or throws`() async throws {
        struct Halt: Error {}
        try await context.withMergingSuspended {
            try await change()
            #expect(ann.name == "1")
            context.withMergingSuspended {}
            #expect(context.isMergingSuspended)
        }
        #expect(ann.name == "2" && !context.isMergingSuspended)
        #expect(throws: Halt.self) { try context.withMergingSuspended { throw Halt() } }
        #expect(!context.isMergingSuspended)
        context.resumeMerging()
        #expect(!context.isMergingSuspended)
    }

    @Test func `suspending a context's merging also suspends merging in its child`() async throws {
        let child = context.newChild()
        let annBelow = try Person.existing(ann.objectID, in: child)
        #expect(annBelow.name == "1")
        context.suspendMerging()
        try await change()
        #expect(try Person.count(in: child) == 2)
        #expect(child.isMergingSuspended && annBelow.name == "1" && ann.name == "1")
        context.resumeMerging()
        _ = try Person.count(in: child)
        #expect(annBelow.name == "2" && ann.name == "2")
    }

    @Test func `a save merges earlier commits while merging is suspended`() async throws {
        context.suspendMerging()
        ann.age = 7
        try await change()
        #expect(ann.name == "1")
        try await context.save()
        #expect(ann.name == "2" && ann.age == 7 && bob.objectState == .detached)
        #expect(!context.hasChanges && context.isMergingSuspended)
        let id = ann.objectID
        try await test.stack.saveWithBlock { try Person.existing(id, in: $0).name = "3" }
        #expect(ann.name == "2")
        context.resumeMerging()
        #expect(ann.name == "3")
    }

    @Test func `a save throws a conflict with a save made while merging is suspended`() async throws
    {
        context.suspendMerging()
        ann.name = "mine"
        try await change()
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.code == .conflict)
        #expect(ann.name == "mine")
        try await context.save(mergePolicy: .objectTrump)
        context.resumeMerging()
        #expect(ann.name == "mine" && !context.hasChanges)
    }

    @Test func `resuming merging after 30,000 saved objects runs one SELECT`() async throws {
        context.suspendMerging()
        for round in 0..<3 {
            try await test.stack.saveWithBlock { context in
                for number in 0..<10_000 {
                    try Person.create(in: context, email: "p\(round) \(number)")
                }
                if round > 0 { return }
                try Person.findFirst(by: \.email, "ann", in: context)?.name = "2"
            }
        }
        #expect(ann.name == "1")
        test.recorder.reset()
        context.resumeMerging()
        // Another thread reads the rows.
        while ann.name == "1" { await Task.yield() }
        #expect(ann.name == "2")
        #expect(test.recorder.statements.count { $0.hasPrefix("SELECT t0") } == 1)
    }

    @Test(arguments: [StackArchitecture.nested, .parentChild])
    func `resumeMerging() under nested or parentChild runs only one SELECT`(
        architecture: StackArchitecture
    ) async throws {
        let test = try TestStack(for: Person.self, architecture: architecture) { context in
            try Person.create(in: context, email: "ann", name: "1")
        }
        let context = test.stack.defaultContext
        let ann = try #require(try Person.findFirst(in: context))
        context.suspendMerging()
        for round in 0..<3 {
            try await test.stack.saveWithBlock { context in
                for number in 0..<10_000 {
                    try Person.create(in: context, email: "p\(round) \(number)")
                }
                if round == 0 { try Person.findFirst(by: \.email, "ann", in: context)?.name = "2" }
            }
        }
        test.recorder.reset()
        context.resumeMerging()
        while ann.name == "1" { await Task.yield() }
        #expect(test.recorder.statements.count { $0.hasPrefix("SELECT t0") } == 1)
    }

    @Test func `withMergingSuspended merges 30,000 saved objects before it returns`() async throws {
        let team = try #require(ann.team)
        let child = context.newChild()
        let annBelow = try Person.existing(ann.objectID, in: child)
        #expect(annBelow.name == "1" && team.members.count == 2)
        ann.age = 7
        try await context.withMergingSuspended {
            try await change()
            for round in 0..<3 {
                try await test.stack.saveWithBlock { context in
                    for number in 0..<10_000 {
                        try Person.create(in: context, email: "p\(round) \(number)")
                    }
                }
            }
            #expect(ann.name == "1" && bob.objectState == .persistent)
        }
        #expect(ann.name == "2" && ann.age == 7 && bob.objectState == .detached)
        #expect(Set(team.members.map(\.email)) == ["ann", "cat"])
        #expect(try Person.count(in: child) == 30_002)
        #expect(annBelow.name == "2" && annBelow.age == 7)
    }

    @Test func `resuming merging keeps the pending error of a failed property read`() async throws {
        try context.refresh(bob, mergingChanges: false)
        context.suspendMerging()
        try await change()
        // The property has no row to read.
        _ = bob.email
        for round in 0..<3 {
            try await test.stack.saveWithBlock { context in
                for number in 0..<10_000 {
                    try Person.create(in: context, email: "p\(round) \(number)")
                }
            }
        }
        context.resumeMerging()
        let error = #expect(throws: RecordStackError.self) { try Person.count(in: context) }
        #expect(error?.code == .notFound)
        #expect(try Person.count(in: context) == 30_002)
    }

    @Test func `resuming merging that was not suspended does nothing`() async throws {
        let other = test.stack.newContext()
        let known = try #require(try Person.findFirst(by: \.email, "ann", in: other))
        try await change()
        other.resumeMerging()
        #expect(known.name == "1" && !other.isMergingSuspended)
        _ = try Person.count(in: other)
        #expect(known.name == "2")
    }

    /// An actor with a context that follows or does not follow.
    private actor Reader {
        private let stack: ContextStack
        private let follows: Bool
        private lazy var context = stack.newContext(ownedBy: self, follows: follows)
        private var ann: Person?

        init(_ stack: ContextStack, follows: Bool) {
            (self.stack, self.follows) = (stack, follows)
        }

        func read() throws {
            ann = try Person.findFirst(by: \.email, "ann", in: context)
        }

        var name: String? { ann?.name }
        var count: Int { get throws { try Person.count(in: context) } }
    }

    @Test func `an actor's context follows saves only if it was created to follow`() async throws {
        let (following, other) = (
            Reader(test.stack, follows: true), Reader(test.stack, follows: false)
        )
        try await following.read()
        try await other.read()
        try await change()
        while await following.name != "2" { await Task.yield() }
        #expect(await other.name == "1")
        #expect(try await other.count == 2)
        #expect(await other.name == "2")
    }
}
