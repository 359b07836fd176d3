import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// Updates by a stack, which run in their own transaction.
@MainActor
@Suite("Batch updates") struct BatchUpdateTests {
    private let test: TestStack
    private var stack: ContextStack { test.stack }
    private var context: ManagedObjectContext { stack.defaultContext }

    init() throws {
        test = try TestStack(for: Ware.self, Person.self, Team.self, Logbook.self) { context in
            for number in 1...100 {
                let ware = try Ware.create(in: context, number: number)
                ware.name = "w\(number % 10)"
                ware.amount = number
            }
            let teams = try ["A", "B"].map { try Team.create(in: context, title: $0) }
            for number in 0..<4 {
                let person = try Person.create(in: context, email: "p\(number)")
                person.team = teams[number % 2]
                person.age = number
            }
            try Logbook.create(in: context).changes = 5
        }
    }

    @Test func `a batch update sets values with one UPDATE statement`() async throws {
        let statements = try await test.recorder.statements {
            let count = try await stack.update(Ware.where { $0.number <= 10 }) {
                $0.name.set(to: "x")
                $0.price.set(to: 1.5)
            }

            #expect(count == 10)
        }
        #expect(statements.filter { $0.hasPrefix("UPDATE \"Ware\"") }.count == 1)
        #expect(statements.filter { $0.hasPrefix("SELECT t0") }.isEmpty)
        #expect(try Ware.count(in: context) { $0.name == "x" && $0.price == 1.5 } == 10)
    }

    @Test func `all assignments of a batch update read the old values`() async throws {
        try await stack.update(Ware.all) {
            $0.amount += 1
            $0.level.set(to: 3)
            $0.price.set(to: $0.amount.asDouble)
            $0.name.set(to: $0.name.uppercased())
        }
        let ware = try #require(try Ware.findFirst(by: \.number, 42, in: context))
        #expect(ware.amount == 43 && ware.price == 42 && ware.name == "W2" && ware.level == 3)
    }

    @Test func `the default context shows a batch update's values without a SELECT`() async throws {
        let wares = try Ware.find(sortedBy: .ascending(\.number), in: context)
        let other = stack.newContext()
        let others = try Ware.find(sortedBy: .ascending(\.number), in: other)
        try await stack.update(Ware.where { $0.number > 50 }) { $0.amount -= 1 }
        let statements = test.recorder.statements {
            #expect(wares.map(\.amount) == Array(1...50) + Array(50...99))
        }
        #expect(statements.filter { $0.hasPrefix("SELECT t0") }.isEmpty)
        _ = try Ware.count(in: other)
        #expect(others.map(\.amount) == wares.map(\.amount))
    }

    @Test func `an edit of a property that a batch update changed is a conflict`() async throws {
        let ware = try #require(try Ware.findFirst(by: \.number, 1, in: context))
        ware.amount = 500
        ware.name = "mine"
        try await stack.update(Ware.where { $0.number == 1 }) { $0.amount.set(to: 7) }
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.conflicts.first?.properties.map(\.name) == ["amount"])
        ware.amount = 7
        await #expect(throws: RecordStackError.self) { try await context.save() }
        try ware.resolveConflict(on: \.amount, keeping: .theirs)
        #expect(try await context.save() == .saved(.updating(1)))
    }

    @Test
    func `a batch update of 20,000 rows reaches contexts that hold some of them`() async throws {
        try await stack.saveWithBlock { context in
            for number in 101...20_101 { try Ware.create(in: context, number: number) }
        }
        let first = try #require(try Ware.findFirst(by: \.number, 1, in: context))
        let other = stack.newContext()
        let held = try Ware.find(sortedBy: .ascending(\.number), limit: 3, in: other)
        #expect(try await stack.update(Ware.all) { $0.name.set(to: "all") } == 20_101)
        #expect(first.name == "all")
        #expect(held.map(\.name) != ["all", "all", "all"])
        #expect(try Ware.count(in: other) == 20_101)
        #expect(held.map(\.name) == ["all", "all", "all"])
        #expect(try await stack.update(Ware.all) { $0.level += 1 } == 20_101)
        #expect(first.level == 1)
    }

    @Test func `a batch update that breaks an attribute's rule changes nothing`() async throws {
        let wrong = [
            try await failure { try await $0.update(Ware.all) { $0.amount.set(to: 1_001) } },
            try await failure { try await $0.update(Ware.all) { $0.amount += 901 } },
            try await failure {
                try await $0.update(Ware.all) {
                    $0.level += 100; $0.level += 28
                }
            },
            try await failure { try await $0.update(Ware.all) { $0.name.set(to: "a") } },
        ]
        #expect(wrong[0]?.code == .validation && wrong[0]?.property == "amount")
        #expect(wrong[1]?.code == .validation && wrong[1]?.objectID != nil)
        #expect(wrong[2]?.code == .misuse && wrong[2]?.property == "level")
        #expect(wrong[3] == nil)
        #expect(try Ware.sum(of: { $0.amount }, in: context) == 5_050)
    }

    private func failure(
        _ update: (ContextStack) async throws -> Int
    ) async throws -> RecordStackError? {
        do {
            _ = try await update(stack)
            return nil
        } catch let error as RecordStackError { return error }
    }

    @Test func `a batch update that overflows an attribute's type fails validation`() async throws {
        try await stack.update(Ware.where { $0.number == 1 }) { $0.level.set(to: 100) }
        let error = await #expect(throws: RecordStackError.self) {
            try await stack.update(Ware.all) { $0.level += 100 }
        }
        #expect(error?.code == .validation && error?.property == "level")
        #expect(error?.failures.map(\.rule) == [.type("Int8")])
        #expect(error?.failures.map(\.value) == [.integer(200)])
        #expect(error?.message.contains("level must fit into Int8") == true)
        #expect(try Ware.count(in: context) { $0.level == 0 } == 99)
    }

    @Test func `a batch update that repeats a unique value throws constraint`() async throws {
        let error = await #expect(throws: RecordStackError.self) {
            try await stack.update(Ware.all) { $0.number.set(to: 5) }
        }
        #expect(error?.code == .constraint && error?.property == "number")
        #expect(try Ware.count(in: context) == 100)
    }

    @Test
    func `a batch update throws misuse if it assigns to nothing, a path or a sum`() async throws {
        let problems = [
            try await failure {
                try await $0.update(Person.all) { $0.team.title.set(to: "x") }
            },
            try await failure {
                try await $0.update(Ware.all) { ($0.amount + 1).set(to: 2) }
            },
            try await failure { try await $0.update(Ware.all) { _ in [Assignment]() } },
        ]
        #expect(problems.allSatisfy { $0?.code == .misuse })
    }

    @Test func `a limited batch update or deletion follows a sort by a related value`() async throws
    {
        let sorted = Person.all.sorted(by: [.descending { $0.team.title }, .ascending(\.age)])
        #expect(try await stack.update(sorted.limited(to: 1)) { $0.age.set(to: 50) } == 1)
        #expect(try Person.findFirst(by: \.email, "p1", in: context)?.age == 50)
        #expect(try await stack.delete(sorted.limited(to: 2)) == 2)
        #expect(try Set(Person.find(in: context).map(\.email)) == ["p0", "p2"])
    }

    @Test func `a batch update can set a to-one relationship to an ID or nil`() async throws {
        let teams = try Team.find(sortedBy: .ascending(\.title), in: context)
        #expect(teams.map { $0.members.count } == [2, 2])
        let other = teams[1].objectID
        #expect(
            try await stack.update(
                Person.where {
                    $0.team.title == "A"
                }
            ) { $0.team.set(to: other) } == 2)
        #expect(teams.map { $0.members.count } == [0, 4])
        try await stack.update(Person.where { $0.age == 1 }) { $0.team.set(to: nil) }
        #expect(teams.map { $0.members.count } == [0, 3])
        let person = try #require(try Person.findFirst(in: context))
        let wrong = try await failure {
            try await $0.update(Person.all) { $0.team.set(to: person.objectID) }
        }
        #expect(wrong?.code == .misuse)
    }

    @Test func `filters and values of a batch update can follow relationships`() async throws {
        try await stack.update(
            Person.where {
                $0.team.members.count == 2 && $0.age > 0
            }
        ) { $0.name.set(to: $0.team.title) }
        #expect(
            try Person.find(sortedBy: .ascending(\.email), in: context).map(\.name)
                == ["", "B", "A", "B"])
    }

    @Test func `a batch update respects the request's sort and limit`() async throws {
        let request = Ware.all.sorted(by: .descending(\.number)).limited(to: 3)
        #expect(try await stack.update(request) { $0.amount.set(to: 0) } == 3)
        #expect(
            try Ware.find(in: context) { $0.amount == 0 }.map(\.number).sorted() == [98, 99, 100])
    }

    @Test func `a batch update can exchange the values of two attributes`() async throws {
        try await stack.update(Ware.all) {
            $0.number.set(to: $0.amount + 1_000)
            $0.amount.set(to: $0.number)
        }
        let ware = try #require(try Ware.findFirst(by: \.number, 1_042, in: context))
        #expect(ware.amount == 42)
    }

    @Test func `a batch update calls the entity's hooks`() async throws {
        try await stack.update(Logbook.all) { $0.changes.set(to: 0) }
        #expect(try Logbook.find(in: context).map(\.changes) == [1])
    }

    @Test func `updateAndWait updates the same objects as update`() throws {
        #expect(try stack.updateAndWait(Ware.all) { $0.amount += 1 } == 100)
        #expect(try Ware.sum(of: { $0.amount }, in: context) == 5_150)
    }
}
