import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// Deletions by a stack, which run in their own transaction.
@MainActor
@Suite("Batch deletions") struct BatchDeletionTests {
    private let test: TestStack
    private var stack: ContextStack { test.stack }
    private var context: ManagedObjectContext { stack.defaultContext }

    init() throws {
        test = try TestStack(
            for: Ware.self, Person.self, Team.self, Animal.self, Dog.self, Logbook.self
        ) { context in
            for number in 1...100 {
                try Ware.create(in: context, number: number).name = "w\(number % 10)"
            }
            let team = try Team.create(in: context, title: "A")
            try Person.create(in: context, email: "ann").team = team
            try Person.create(in: context, email: "bob")
            for number in 1...3 {
                try Animal.create(in: context, name: "a\(number)")
                try Dog.create(in: context, name: "d\(number)")
            }
            try Logbook.create(in: context)
        }
    }

    @Test func `a batch deletion with a filter runs one DELETE statement`() async throws {
        let statements = try await test.recorder.statements {
            let count = try await stack.delete(Ware.where { $0.name == "w3" })
            #expect(count == 10)
        }
        #expect(statements.filter { $0.hasPrefix("DELETE") }.count == 1)
        #expect(statements.filter { $0.hasPrefix("SELECT t0") }.isEmpty)
        #expect(try Ware.count(in: context) == 90)
    }

    @Test func `a batch deletion of all objects runs one DELETE statement`() async throws {
        var count = 0
        let statements = try await test.recorder.statements {
            count = try await stack.delete(Ware.all)
        }
        #expect(count == 100)
        #expect(statements.filter { $0.hasPrefix("DELETE") } == ["DELETE FROM \"Ware\""])
        #expect(try Ware.count(in: context) == 0)
        #expect(try await stack.delete(Ware.all) == 0)
    }

    @Test func `a new object never gets the key of an object deleted in a batch`() async throws {
        let last = try Ware.find(in: context).map(\.objectID.key).max() ?? 0
        try await stack.delete(Ware.all)
        let new = try Ware.create(in: context, number: 1)
        #expect(new.objectID.key > last)
    }

    @Test(arguments: [true, false])
    func `contexts detach the objects that a batch deletion deletes`(isAll: Bool) async throws {
        let own = try Ware.find(sortedBy: .ascending(\.number), in: context)
        let other = stack.newContext()
        let others = try Ware.find(sortedBy: .ascending(\.number), in: other)
        if isAll {
            try await stack.delete(Ware.all)
        } else {
            try await stack.delete(Ware.where { $0.number <= 99 })
        }
        #expect(own.filter { $0.objectState == .detached }.count == (isAll ? 100 : 99))
        #expect(try Ware.count(in: other) == (isAll ? 0 : 1))
        #expect(others[0].objectState == .detached)
        #expect((others[99].objectState == .detached) == isAll)
    }

    @Test(arguments: [true, false])
    func `a save of an edit conflicts with a batch deletion of the same object`(isAll: Bool)
        async throws
    {
        let ware = try #require(try Ware.findFirst(by: \.number, 7, in: context))
        ware.name = "changed"
        if isAll {
            try await stack.delete(Ware.all)
        } else {
            try await stack.delete(Ware.where { $0.number == 7 })
        }
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.code == .conflict && error?.objectID == ware.objectID)
        context.rollback()
        #expect(try await context.save() == .noChanges)
    }

    @Test func `a batch deletion does not delete unsaved new objects`() async throws {
        let pending = try Ware.create(in: context, number: 1_000)
        try await stack.delete(Ware.all)
        let left = try Ware.find(in: context)
        #expect(left.count == 1 && left.first === pending)
        try await context.save()
        #expect(try Ware.count(in: stack.newContext()) == 1)
    }

    @Test func `a batch deletion clears references to the deleted objects`() async throws {
        let ann = try #require(try Person.findFirst(by: \.email, "ann", in: context))
        #expect(ann.team != nil)
        #expect(try await stack.delete(Team.all) == 1)
        #expect(ann.team == nil)
        #expect(try Person.count(in: stack.newContext()) { $0.team == nil } == 2)
    }

    @Test func `a batch deletion of a subentity keeps the other objects of its table`() async throws
    {
        #expect(try await stack.delete(Dog.all) == 3)
        #expect(try Animal.count(in: context) == 3)
        #expect(try await stack.delete(Animal.where { $0.name != "a1" }) == 2)
        #expect(try await stack.delete(Animal.all) == 1)
    }

    @Test func `a batch deletion respects sort, limit and a filter on a related object`()
        async throws
    {
        let request = Ware.all.sorted(by: .descending(\.number)).limited(to: 5)
        #expect(try await stack.delete(request) == 5)
        #expect(try Ware.max(of: { $0.number }, in: context) == 95)
        #expect(try await stack.delete(Person.where { $0.team.title == "A" }) == 1)
        #expect(try Person.find(in: context).map(\.email) == ["bob"])
    }

    @Test func `a batch deletion inside a save block throws misuse`() async throws {
        let stack = stack
        try await stack.saveWithBlock { _ in
            let error = #expect(throws: RecordStackError.self) {
                try Self.deleteAll(of: stack)
            }
            #expect(error?.code == .misuse)
        }
        #expect(try Ware.count(in: context) == 100)
    }

    private nonisolated static func deleteAll(of stack: ContextStack) throws {
        try stack.deleteAndWait(Ware.all)
    }

    @Test func `deleteAndWait deletes the same objects as delete`() throws {
        #expect(try stack.deleteAndWait(Ware.where { $0.number > 50 }) == 50)
        #expect(try stack.deleteAndWait(Ware.all) == 50)
    }

    @Test func `a batch deletion in a cancelled task throws and deletes nothing`() async throws {
        let stack = stack
        let task = Task { () -> Int in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await stack.delete(Ware.all)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try Ware.count(in: context) == 100)
    }

    @Test func `a batch deletion on a closed stack throws closed`() async throws {
        try stack.close()
        let error = await #expect(throws: RecordStackError.self) {
            try await stack.delete(Ware.all)
        }
        #expect(error?.code == .closed)
    }
}
