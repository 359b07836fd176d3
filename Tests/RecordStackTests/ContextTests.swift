import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Objects in their contexts: looked up by ID, changed, rolled back, refreshed and reset.
@Suite("Objects in contexts") struct ContextTests {
    @Test func `a context has one object for a row, however the row is found`() async throws {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        let team = try Team.create(in: context, title: "A")
        let ann = try Person.create(in: context, email: "ann", team: team)
        #expect(try Person.find(in: context).first === ann)
        try await context.save()
        #expect(try Person.findFirst(by: \.email, "ann", in: context) === ann)
        #expect(try Person.existing(ann.objectID, in: context) === ann)
        #expect(try context.object(ann.objectID) === ann)
        #expect(context.registeredObject(ann.objectID) === ann)
        #expect(ann.team === team && Array(team.members).first === ann)
        let other = test.stack.newContext()
        #expect(other.registeredObject(ann.objectID) == nil)
        #expect(try Person.existing(ann.objectID, in: other) !== ann)
    }

    @Test func `a count includes an object once after edits, reverts and a refresh`() async throws {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        let team = try Team.create(in: context, title: "A")
        let people = try (0..<20).map {
            try Person.create(in: context, email: "p\($0)", team: team)
        }
        try await context.save()
        people[0].name = "2"
        people[0].name = ""
        try context.refresh(people[0])
        people[0].name = "3"
        #expect(try Person.count(in: context) == 20 && team.members.count == 20)
        #expect(try Person.find(in: context).count == 20 && context.updatedObjects.count == 1)
        try people[1].delete()
        #expect(team.members.count == 19)
        #expect(try await context.save() == .saved(.counting(updated: 1, deleted: 1)))
    }

    @Test func `a context releases objects whose edits were reverted`() async throws {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        try await test.stack.saveWithBlock { context in
            for index in 0..<1_100 { try Person.create(in: context, email: "p\(index)") }
        }
        do {
            for person in try Person.find(in: context) {
                person.name = "x"
                person.name = ""
            }
        }
        try Person.create(in: context, email: "new")
        try await context.save()
        _ = try Person.findFirst(in: context)
        _ = try Person.count(in: context)
        #expect(context.registeredObjectCount < 100)
    }

    @Test
    func `an object ID stays the same in a save and can be read from its text`() async throws {
        let test = try TestStack(for: Person.self, Animal.self, Dog.self)
        let context = test.stack.newContext()
        let dog = try Dog.create(in: context)
        dog.name = "Rex"
        let before = dog.objectID
        try await context.save()
        #expect(dog.objectID == before)
        let text = "\(before)"
        let read = try #require(ManagedObjectID(text))
        #expect(read == before && "\(read)" == text)
        #expect(try Dog.existing(read, in: test.stack.newContext()).name == "Rex")
        #expect(try Animal.existing(read, in: test.stack.newContext()) is Dog)
        for wrong in ["", "recordstack://x/Dog/1", text + "x", text + "/", "Dog/1"] {
            #expect(ManagedObjectID(wrong) == nil)
        }
        let foreign = try TestStack(for: Dog.self).stack.newContext()
        #expect(throws: RecordStackError.self) { try foreign.object(read) }
        #expect(foreign.registeredObject(read) == nil)
    }

    @Test func `reading a fault loads it with one statement`() async throws {
        let test = try TestStack(for: Person.self)
        let id = try await test.stack.saveWithBlock {
            try Person.create(in: $0, email: "ann", name: "Ann").objectID
        }
        let context = test.stack.newContext()
        test.recorder.reset()
        let ann = try #require(try context.object(id) as? Person)
        #expect(ann.isFault && test.recorder.statements.isEmpty)
        #expect(ann.name == "Ann" && ann.email == "ann" && !ann.isFault)
        #expect(test.recorder.statements.count == 1)
    }

    @Test
    func `a fault whose row is gone reads as placeholders, and an error follows`() async throws {
        let test = try TestStack(for: Person.self)
        let id = try await test.stack.saveWithBlock {
            try Person.create(in: $0, email: "ann").objectID
        }
        let context = test.stack.newContext()
        let ann = try #require(try context.object(id) as? Person)
        try await test.stack.saveWithBlock { try Person.existing(id, in: $0).delete() }
        let isolated = test.stack.newContext()
        let second = try #require(try isolated.object(id) as? Person)
        #expect(second.email == "" && second.age == nil && second.team == nil)
        #expect(second.objectState == .detached)
        let error = #expect(throws: RecordStackError.self) { try Person.count(in: isolated) }
        #expect(error?.code == .notFound && error?.objectID == id)
        #expect(try Person.count(in: isolated) == 0, "thrown once")
        #expect(throws: RecordStackError.self) { try ann.load() }
        #expect(throws: RecordStackError.self) { try Person.existing(id, in: context) }
    }

    @Test func `setting a property to its saved value is not a change`() async throws {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        let ann = try Person.create(in: context, email: "ann", name: "e\u{301}", age: 5)
        try await context.save()
        ann.age = 6
        #expect(context.hasChanges && ann.changedValues() == ["age": .integer(6)])
        ann.age = 5
        ann.email = "ann"
        #expect(!ann.hasChanges && !context.hasChanges)
        #expect(try await context.save() == .noChanges)
        // Swift considers the two equal, but their stored bytes differ.
        ann.name = "é"
        #expect(ann.hasChanges)
        #expect(try await context.save() == .saved(.updating(1)))
    }

    @Test func `a rollback restores values, references and deleted objects`() async throws {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        let team = try Team.create(in: context, title: "A")
        let ann = try Person.create(in: context, email: "ann", age: 1, team: team)
        let bob = try Person.create(in: context, email: "bob", team: team)
        try await context.save()
        #expect(team.members.count == 2)
        ann.age = 2
        ann.team = nil
        let eve = try Person.create(in: context, email: "eve", team: team)
        try bob.delete()
        #expect(team.members.map(\.email) == ["eve"])
        context.rollback()
        #expect(!context.hasChanges)
        #expect(ann.age == 1 && ann.team === team && bob.objectState == .persistent)
        #expect(eve.objectState == .detached && eve.email == "eve")
        #expect(Set(team.members.map(\.email)) == ["ann", "bob"])
        #expect(try Person.find(in: context).map(\.email) == ["ann", "bob"])
    }

    @Test func `refresh loads stored values and keeps edits if mergingChanges is true`()
        async throws
    {
        let test = try TestStack(for: Person.self, at: .temporaryFile)
        let context = test.stack.newContext()
        let ann = try Person.create(in: context, email: "ann", name: "1", age: 1)
        try await context.save()
        try ForeignProgram(path: #require(test.path)).run(
            "UPDATE Person SET name = '2', age = 2, _version = _version + 1")
        ann.age = 5
        #expect(ann.name == "1")
        try context.refresh(ann)
        #expect(ann.name == "2" && ann.age == 5)
        #expect(ann.committedValues() == ["age": .integer(2)])
        try context.refresh(ann, mergingChanges: false)
        #expect(ann.isFault && ann.age == 2 && !context.hasChanges)
        context.refreshAllObjects()
        #expect(ann.isFault && ann.name == "2")
    }

    @Test func `reset detaches every object and discards unsaved changes`() async throws {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        let ann = try Person.create(in: context, email: "ann")
        try await context.save()
        ann.name = "changed"
        let bob = try Person.create(in: context, email: "bob")
        context.reset()
        #expect(!context.hasChanges && context.registeredObjectCount == 0)
        #expect(ann.objectState == .detached && bob.objectState == .detached)
        #expect(try Person.find(in: context).map(\.name) == [""])
    }

    @Test func `deleting a new object leaves nothing to save`() async throws {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        let ann = try Person.create(in: context, email: "ann")
        try ann.delete()
        #expect(ann.objectState == .detached && !context.hasChanges)
        #expect(try await context.save() == .noChanges)
    }

    @Test func `deleting an object clears loaded and unloaded references to it`() async throws {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        let team = try Team.create(in: context, title: "A")
        let ann = try Person.create(in: context, email: "ann", team: team)
        try await context.save()
        try await test.stack.saveWithBlock { context in
            let team = try #require(try Team.findFirst(in: context))
            try Person.create(in: context, email: "bob", team: team)
        }
        try team.delete()
        #expect(team.objectState == .deleted && ann.team == nil)
        #expect(try Person.count(in: context) { $0.team == nil } == 2)
        try await context.save()
        #expect(team.objectState == .detached)
        #expect(try await test.stack.read { try Person.count(in: $0) { $0.team == nil } } == 2)
    }

    @Test func `findFirstOrCreate finds a pending object`() throws {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        let ann = try Person.findFirstOrCreate(by: \.email, "ann", in: context)
        #expect(try Person.findFirstOrCreate(by: \.email, "ann", in: context) === ann)
        #expect(try Person.count(in: context) == 1)
    }

    @Test func `comparing a relationship with an object of another store throws`() throws {
        let test = try TestStack(for: Person.self)
        let other = try TestStack(for: Person.self)
        let team = try Team.create(in: other.stack.newContext(), title: "A").objectID
        let context = test.stack.newContext()
        let error = #expect(throws: RecordStackError.self) {
            try Person.count(in: context) { $0.age > 3 && !($0.team == team) }
        }
        #expect(error?.code == .misuse && error?.objectID == team)
    }

    @Test func `snapshots register no objects and show unsaved values`() async throws {
        let test = try TestStack(for: Person.self)
        try await test.stack.saveWithBlock { context in
            let team = try Team.create(in: context, title: "A")
            try Person.create(in: context, email: "ann", age: 41, team: team)
        }
        let context = test.stack.newContext()
        let snapshots = try Person.snapshots(in: context) { $0.age == 41 }
        #expect(context.registeredObjectCount == 0)
        let ann = try #require(snapshots.first)
        #expect(ann.email == "ann" && ann.age == 41 && ann.isActive)
        let team = try #require(try Team.findFirst(in: context))
        #expect(ann.team == team.objectID)
        let person = try #require(try Person.findFirst(in: context))
        #expect(try person.snapshot == ann)
        person.age = 42
        #expect(try person.snapshot != ann)
        #expect(try Person.snapshots(in: context).first?.age == 42)
    }

    @Test func `one save can exchange unique values between objects`() async throws {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        let people = try ["a", "b", "c"].map { try Person.create(in: context, email: $0) }
        try await context.save()
        people[0].email = "b"
        people[1].email = "c"
        people[2].email = "a"
        #expect(try await context.save() == .saved(.updating(3)))
        #expect(
            try await test.stack.read { try Person.find(in: $0).map(\.email) } == ["b", "c", "a"])
        try people[0].delete()
        people[1].email = "b"
        try Person.create(in: context, email: "c")
        try await context.save()
        #expect(
            try await test.stack.read { try Person.find(in: $0).map(\.email) } == ["b", "a", "c"])
    }

    @Test func `a find with an undeclared property or a bad limit or page throws`() throws {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        let request = Person.where { $0.isFault == true }
        let error = #expect(throws: RecordStackError.self) { try context.find(request) }
        #expect(error?.code == .misuse && error?.message.contains("email") == true)
        #expect(throws: RecordStackError.self) { try Person.find(limit: -1, in: context) }
        #expect(throws: RecordStackError.self) { try Person.page(1, size: 0, in: context) }
        #expect(throws: RecordStackError.self) { try Person.page(-1, size: 1, in: context) }
        #expect(try Person.page(0, size: 10, in: context).items.isEmpty)
        #expect(try Person.page(.max, size: .max, in: context).items.isEmpty)
    }

    @Test func `a rollback undoes a deletion and an edit made after the deletion`() async throws {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        let ann = try Person.create(in: context, email: "ann", name: "old")
        try await context.save()
        try ann.delete()
        ann.name = "new"
        context.rollback()
        #expect(ann.name == "old" && ann.objectState == .persistent && !context.hasChanges)
    }

    @Test func `comparing a relationship with an ID of another entity throws`() async throws {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        let team = try Team.create(in: context, title: "A")
        let ann = try Person.create(in: context, email: "ann", team: team)
        try await context.save()
        #expect(try Person.count(in: context) { $0.team == team.objectID } == 1)
        #expect(throws: RecordStackError.self) {
            try Person.count(in: context) { $0.team == ann.objectID }
        }
    }

    @Test func `a find with a huge limit succeeds`() async throws {
        let context = try TestStack(for: Person.self).stack.newContext()
        try Person.create(in: context, email: "ann")
        for limit in [Int.max, 1 << 40] {
            #expect(try Person.find(limit: limit, in: context).count == 1)
            try await context.save()
            #expect(try Person.find(limit: limit, in: context).count == 1)
        }
    }

    @Test func `a saved optional NaN reads as nil`() async throws {
        let context = try TestStack(for: Specimen.self).stack.newContext()
        let object = try Specimen.create(in: context, number: 1)
        object.maybeDouble = .nan
        try await context.save()
        #expect(object.maybeDouble == nil)
        object.maybeDouble = 1
        try await context.save()
        object.maybeDouble = .nan
        try await context.save()
        #expect(object.maybeDouble == nil)
    }

    @Test func `counts with the largest possible limits and offsets are correct`() throws {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        for index in 0..<3 { try Person.create(in: context, email: "\(index)") }
        #expect(try Person.find(limit: .max, offset: 1, in: context).count == 2)
        #expect(try Person.find(limit: .max, offset: .max, in: context).isEmpty)
        #expect(try context.count(Person.all.limited(to: .max).offset(by: 2)) == 1)
    }

    @Test func `isSet tells whether a required property has been set`() throws {
        let test = try TestStack(for: Badge.self)
        let context = test.stack.newContext()
        let badge = try context.create(Badge.self)
        #expect(!badge.isSet(\Badge.code) && !badge.isSet(\Badge.owner))
        #expect(badge.isSet(\Badge.note))
        #expect(!badge.isSet(\Person.name) && !badge.isSet(\Badge.code.count))
        badge.owner = try Team.create(in: context, title: "A")
        badge.code = ""
        #expect(badge.isSet(\Badge.code) && badge.isSet(\Badge.owner))
    }
}

@Entity final class Badge: ManagedObject {
    @Attribute var code: String
    @Attribute var note: String?
    @Relationship(.required) var owner: Team?
}
