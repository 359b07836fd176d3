import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Saves that change many objects, with many updates in one statement.
@Suite("Saves of many updates") struct ManyUpdatesTests {
    private static let count = 700

    private func make(
        _ options: StoreOptions = StoreOptions()
    ) async throws -> (TestStack, ManagedObjectContext, [Person]) {
        let test = try TestStack(entities: [Person.self], at: .temporaryFile, options: options)
        let context = test.stack.newContext()
        let people = try (0..<Self.count).map {
            try Person.create(in: context, email: "p\($0)", age: $0)
        }
        try await context.save()
        return (test, context, people)
    }

    private func updates(_ statements: [String]) -> [String] {
        statements.filter { $0.hasPrefix("UPDATE \"Person\"") }
    }

    @Test func `a save of 700 updates writes every value with few statements`() async throws {
        let (test, context, people) = try await make()
        for person in people { person.name = "n\(person.age ?? -1)" }
        test.recorder.reset()
        #expect(try await context.save() == .saved(.updating(Self.count)))
        let (own, many) = (updates(test.recorder.statements), Self.count / 128)
        #expect(own.count == many + Self.count % 128, "\(own.count)")
        #expect(own.filter { $0.contains("VALUES") }.count == many)
        let stored = try Person.find(in: test.stack.newContext())
        #expect(stored.map(\.name) == (0..<Self.count).map { "n\($0)" })
        for person in people { person.age = nil }
        #expect(try await context.save() == .saved(.updating(Self.count)))
        #expect(try Person.count(in: test.stack.newContext()) { $0.age == nil } == Self.count)
    }

    @Test func `a save of many updates changes only the edited properties`() async throws {
        let (test, context, people) = try await make()
        for (index, person) in people.enumerated() {
            if index % 3 != 0 || index > 300 { person.name = "n" }
            if index % 3 != 1 || index > 300 { person.isActive = false }
        }
        #expect(try await context.save() == .saved(.updating(Self.count)))
        for (index, person) in try Person.find(in: test.stack.newContext()).enumerated() {
            #expect((person.name == "n") == (index % 3 != 0 || index > 300), "\(index)")
            #expect(person.isActive == (index % 3 == 1 && index <= 300), "\(index)")
            #expect(person.email == "p\(index)" && person.age == index)
        }
    }

    @Test func `a save of many updates names the object that breaks a unique rule`() async throws {
        let (test, context, people) = try await make()
        try await test.stack.saveWithBlock { context in
            _ = try Person.create(in: context, email: "taken")
        }
        for person in people { person.email += "!" }
        people[333].email = "taken"
        let error = await RecordStackError.of { try await context.save() }
        #expect(error?.code == .constraint && error?.objectID == people[333].objectID)
        #expect(error?.property == "email")
        #expect(try Person.findFirst(by: \.email, "p0", in: test.stack.newContext()) != nil)
        people[333].email = "free"
        #expect(try await context.save() == .saved(.updating(Self.count)))
        #expect(try Person.findFirst(by: \.email, "p0!", in: test.stack.newContext()) != nil)
    }

    @Test func `a save of many updates can rotate unique values`() async throws {
        let (test, context, people) = try await make()
        let emails = people.map(\.email)
        for (index, person) in people.enumerated() {
            person.email = emails[(index + 1) % Self.count]
        }
        #expect(try await context.save() == .saved(.updating(Self.count)))
        let stored = try Person.find(in: test.stack.newContext())
        #expect(stored.map(\.email) == Array(emails[1...] + emails[..<1]))
    }

    @Test func `a save of many updates merges or reports changes by another program`() async throws
    {
        let (test, context, people) = try await make()
        let program = try ForeignProgram(path: #require(test.path))
        let key = people[444].objectID.key
        try program.run(
            "UPDATE Person SET age = -1, _version = _version + 1 WHERE _key = \(key)")
        for person in people { person.name = "ours" }
        #expect(try await context.save() == .saved(.updating(Self.count)))
        #expect(people[444].age == -1)
        try program.run(
            "UPDATE Person SET name = 'theirs', _version = _version + 1 WHERE _key = \(key)")
        for person in people { person.name = "ours again" }
        let error = await RecordStackError.of { try await context.save() }
        #expect(error?.conflicts.map(\.objectID) == [people[444].objectID])
        try program.run("DELETE FROM Person WHERE _key = \(key)")
        let gone = await RecordStackError.of { try await context.save() }
        #expect(gone?.conflicts.map(\.kind) == [.deletedElsewhere])
        #expect(try Person.count(in: test.stack.newContext()) { $0.name == "ours" } == 699)
    }

    @Test func `a save of many updates names the object whose value is too large`() async throws {
        var options = StoreOptions()
        options.valueLimit = 100_000
        let (_, context, people) = try await make(options)
        for person in people { person.name = String(repeating: "n", count: 10) }
        people[555].name = String(repeating: "n", count: 100_001)
        let error = await RecordStackError.of { try await context.save() }
        #expect(error?.code == .store && error?.objectID == people[555].objectID)
        // Each value alone fits, but all of them together do not.
        people[555].name = String(repeating: "n", count: 99_999)
        let second = await RecordStackError.of { try await context.save() }
        #expect(second?.code == .store && second?.objectID == people[555].objectID)
        people[555].name = "x"
        #expect(try await context.save() == .saved(.updating(Self.count)))
    }

    @Test func `many updates are saved even if a column is named column1 as in VALUES`()
        async throws
    {
        let test = try TestStack(for: `v`.self)
        let context = test.stack.newContext()
        let rows = try (0..<300).map { try v.create(in: context, column1: $0) }
        try await context.save()
        for row in rows { (row.column1, row.column2, row.rows) = (row.column1 + 1, 2, 3) }
        try await context.save()
        let stored = try v.find(in: test.stack.newContext())
        #expect(stored.map(\.column1) == Array(1...300))
        #expect(stored.allSatisfy { $0.column2 == 2 && $0.rows == 3 })
    }
}

@Entity final class `v`: ManagedObject {
    @Attribute var column1: Int
    @Attribute var column2: Int = 0
    @Attribute(.stored(as: "column3")) var rows: Int = 0
}
