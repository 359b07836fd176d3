import RecordStack
import RecordStackModel
import RecordStackSQLite
import RecordStackTesting
import TestSupport
import Testing

/// Saves that fail. Each says why, changes nothing, and succeeds once the cause is fixed.
@Suite("Failing saves") struct FailingSaveTests {
    private func makeStack(_ options: StoreOptions = StoreOptions()) throws -> TestStack {
        try TestStack(entities: [Person.self, Team.self], at: .temporaryFile, options: options)
    }

    private func code(_ body: () async throws -> Void) async -> RecordStackError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? RecordStackError)?.code
        }
    }

    @Test func `inserting a taken unique value throws constraint and keeps changes`() async throws {
        let test = try makeStack()
        let context = test.stack.newContext()
        let first = try Person.create(in: context, email: "ann")
        try await context.save()
        let second = try Person.create(in: context, email: "bob", name: "Second")
        let third = try Person.create(in: context, email: "ann", name: "Third")
        let child = context.newChild()
        try Person.create(in: child, email: "child")

        do {
            try await child.save()
            Issue.record("the save did not throw")
        } catch let error as RecordStackError {
            #expect(error.code == .constraint)
            #expect(error.objectID == third.objectID)
            #expect(error.entity == "Person" && error.property == "email")
            #expect(error.blockers == [first.objectID])
            #expect(
                error.message
                    == "Person.email must be unique, and \(first.objectID) has \"ann\" as well. Change one of "
                    + "them, or find the other and change it instead, as upsert and imports do. If another save has "
                    + "just added it, run the block again. The object is \(third.objectID).")
        }
        #expect(child.hasChanges && context.hasChanges)
        #expect(second.objectState == .pending && third.objectState == .pending)
        #expect(try Person.count(in: test.stack.newContext()) == 1)

        let other = test.stack.newContext()
        try Person.create(in: other, email: "eve")
        #expect(try await other.save() == .saved(.inserting(1)))

        third.email = "joe"
        #expect(try await child.save() == .saved(.inserting(3)))
        #expect(!child.hasChanges && !context.hasChanges)
        #expect(try Person.count(in: test.stack.newContext()) == 5)
    }

    @Test func `updating to a taken unique value throws constraint`() async throws {
        let test = try makeStack()
        let context = test.stack.newContext()
        let people = try (0..<50).map { try Person.create(in: context, email: "p\($0)") }
        try await context.save()
        people[7].email = "p8"
        do {
            try await context.save()
            Issue.record("the save did not throw")
        } catch let error as RecordStackError {
            #expect(error.code == .constraint && error.objectID == people[7].objectID)
        }
        #expect(people[7].changedValues() == ["email": .text("p8")])
        people[8].email = "p7"
        #expect(try await context.save() == .saved(.updating(2)))
    }

    @Test func `a failing save of 100 objects names the object that fails`() async throws {
        let test = try makeStack()
        let context = test.stack.newContext()
        try Person.create(in: context, email: "p77")
        try await context.save()
        let people = try (0..<100).map { try Person.create(in: context, email: "p\($0)") }
        do {
            try await context.save()
            Issue.record("the save did not throw")
        } catch let error as RecordStackError {
            #expect(error.objectID == people[77].objectID)
        }
    }

    @Test func `a save with missing required values names each of them`() async throws {
        let test = try makeStack()
        let context = test.stack.newContext()
        let ann = try context.create(Person.self)
        let team = try context.create(Team.self)
        #expect(ann.email == "" && !ann.isSet(\Person.email) && ann.isSet(\Person.name))
        do {
            try await context.newChild().save()
            Issue.record("the save did not throw")
        } catch let error as RecordStackError {
            #expect(error.code == .validation)
            #expect(
                error.failures.map { "\($0.entity).\($0.property ?? "")" }
                    == ["Person.email", "Team.title"])
        }
        #expect(throws: RecordStackError.self) { try ann.snapshot }
        ann.email = "ann"
        team.title = "A"
        #expect(try await context.save() == .saved(.inserting(2)))
    }

    @Test func `a save that throws busy for another program's lock keeps its changes`() async throws
    {
        var options = StoreOptions()
        options.busyTimeout = 0.1
        let test = try makeStack(options)
        let context = test.stack.newContext()
        let ann = try Person.create(in: context, email: "ann")
        let lock = try ForeignLock(path: #require(test.path))
        #expect(await code { try await context.save() } == .busy)
        #expect(ann.objectState == .pending && context.hasChanges)
        try lock.release()
        #expect(try await context.save() == .saved(.inserting(1)))
    }

    @Test func `a full disk makes a save throw full and keeps its changes`() async throws {
        var options = StoreOptions()
        options.pageLimit = 24
        let test = try makeStack(options)
        let context = test.stack.newContext()
        let ann = try Person.create(in: context, email: "ann")
        try await context.save()
        ann.name = String(repeating: "x", count: 200_000)
        let other = test.stack.newContext()
        #expect(await code { try await context.save() } == .full)
        #expect(ann.changedValues().keys.sorted() == ["name"])
        try Person.create(in: other, email: "bob")
        #expect(try await other.save() == .saved(.inserting(1)))
        ann.name = "short"
        #expect(try await context.save() == .saved(.updating(1)))
        #expect(try Person.find(in: other).map(\.name) == ["short", ""])
    }

    @Test func `NaN in a required attribute makes a save fail validation`() async throws {
        let test = try TestStack(for: Measurement.self)
        let context = test.stack.newContext()
        let measurement = try Measurement.create(in: context, value: .nan, error: .nan)
        #expect(await code { try await context.save() } == .validation)
        measurement.value = -0.0
        try await context.save()
        let found = try #require(try Measurement.findFirst(in: test.stack.newContext()))
        #expect(found.value.sign == .plus && found.value == 0)
        #expect(found.error == nil)
    }
}

@Entity final class Measurement: ManagedObject {
    @Attribute var value: Double
    @Attribute var error: Double?
}
