import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// Children whose ancestors change, roll back and save.
@MainActor
@Suite("Children and their ancestors") struct HierarchyTests {
    private let test: TestStack
    private let context: ManagedObjectContext
    private let child: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Person.self)
        context = test.stack.defaultContext
        child = context.newChild()
    }

    private func person(
        _ email: String = "ann", in context: ManagedObjectContext
    ) throws -> Person {
        try #require(try Person.findFirst(by: \.email, email, in: context))
    }

    private func stored() throws -> [Snapshot<Person>] {
        try Person.snapshots(in: test.stack.newContext())
    }

    @Test func `create needs no arguments if every attribute has a default value`() throws {
        let context = try TestStack(for: Newest.Truck.self).stack.newContext()
        let truck = try Newest.Truck.create(in: context)
        #expect(truck.wheels == 4 && truck.tons == 1.5)
        #expect(try Newest.Truck.create(in: context, tons: 2).tons == 2)
    }

    @Test func `a grandchild's save leaves no changes in any context of its chain`() throws {
        let grandchild = child.newChild()
        try Person.create(in: context, email: "ann")
        let lowest = try person(in: grandchild)
        lowest.isActive = false
        try person(in: child).age = 4
        _ = try waitedSave(grandchild)
        for level in [grandchild, child, context] {
            let ann = try person(in: level)
            #expect(!ann.isActive && ann.age == 4 && !level.hasChanges, "\(level)")
            #expect(try waitedSave(level) == .noChanges)
        }
        #expect(try stored().map(\.age) == [4])
    }

    @Test func `a child's save block can change a new object that the child has edited`() throws {
        try Person.create(in: context, email: "ann")
        let mine = try person(in: child)
        mine.age = 1
        try waitedBlock(child) { context in
            try Person.findFirst(by: \.email, "ann", in: context)?.age = 2
        }
        #expect(mine.age == 2 && !child.hasChanges)
        #expect(try stored().map(\.age) == [2])
    }

    @Test func `saving a child's deletion discards the parent's new object`() throws {
        let ann = try Person.create(in: context, email: "ann")
        try Person.create(in: context, email: "bob")
        try person(in: child).delete()
        #expect(try waitedSave(child) == .saved(.inserting(1)))
        #expect(ann.objectState == .detached && !context.hasChanges && !child.hasChanges)
        #expect(try waitedSave(context) == .noChanges)
        #expect(try stored().map(\.email) == ["bob"])
    }

    @Test func `a child's save of its deletion of a parent's new object writes nothing`() throws {
        try Person.create(in: context, email: "ann")
        try person(in: child).delete()
        #expect(try waitedSave(child) == .noChanges)
        #expect(!context.hasChanges && !child.hasChanges)
        #expect(try Person.count(in: context) == 0)
    }

    @Test func `a parent's rollback shows in a child that has edited another property`() throws {
        let ann = try Person.create(in: context, email: "ann", name: "1")
        _ = try waitedSave(context)
        ann.name = "2"
        let mine = try person(in: child)
        #expect(mine.name == "2")
        mine.age = 5
        context.rollback()
        #expect(try Person.count(in: child) { $0.name == "1" && $0.age == 5 } == 1)
        #expect(mine.name == "1")
        _ = try waitedSave(child)
        #expect(try stored().map(\.name) == ["1"])
    }

    @Test func `rolling back a child and then its parent shows stored values`() throws {
        let ann = try Person.create(in: context, email: "ann", name: "1")
        _ = try waitedSave(context)
        ann.name = "2"
        let mine = try person(in: child)
        mine.age = 5
        child.rollback()
        context.rollback()
        #expect(try Person.find(in: child).map(\.name) == ["1"])
        #expect(mine.name == "1" && mine.age == nil)
    }

    @Test func `a child's edit of a new object that its parent rolls back conflicts`() throws {
        try Person.create(in: context, email: "ann")
        let mine = try person(in: child)
        mine.age = 5
        context.rollback()
        let error = #expect(throws: RecordStackError.self) { try waitedSave(child) }
        #expect(error?.code == .conflict && error?.conflicts.first?.kind == .deletedElsewhere)
        child.rollback()
        #expect(try Person.count(in: child) == 0 && mine.objectState == .detached)
    }

    @Test func `after a refresh, a child can push an edit that conflicted before`() throws {
        let ann = try Person.create(in: context, email: "ann")
        _ = try waitedSave(context)
        let mine = try person(in: child)
        mine.name = "child"
        ann.name = "parent"
        let error = #expect(throws: RecordStackError.self) { try child.push() }
        #expect(error?.code == .conflict)
        try child.refresh(mine)
        #expect(mine.name == "child" && mine.committedValues() == ["name": .text("parent")])
        try child.push()
        #expect(ann.name == "child")
    }

    @Test func `a child's relationship follows its parent's edits and rollbacks`() throws {
        let team = try Team.create(in: context, title: "A")
        let other = try Team.create(in: context, title: "B")
        let ann = try Person.create(in: context, email: "ann", team: team)
        _ = try waitedSave(context)
        let teams = try Team.find(sortedBy: .ascending(\.title), in: child)
        func counts() throws -> [Int] {
            _ = try Person.count(in: child)
            return teams.map(\.members.count)
        }
        #expect(try counts() == [1, 0])
        ann.team = other
        #expect(try counts() == [0, 1])
        context.rollback()
        #expect(try counts() == [1, 0])
        try ann.delete()
        #expect(try counts() == [0, 0])
        context.rollback()
        #expect(try counts() == [1, 0])
        ann.name = "x"
        #expect(try counts() == [1, 0])
        context.rollback()
        #expect(try counts() == [1, 0])
        #expect(teams[0].members.map(\.email) == ["ann"])
    }

    @Test func `deleting an object in the parent clears a child's reference to it`() throws {
        let team = try Team.create(in: context, title: "A")
        _ = try waitedSave(context)
        let mine = try Team.findFirst(in: child)
        let bob = try Person.create(in: child, email: "bob", team: mine)
        try team.delete()
        #expect(try Person.count(in: child) { $0.team == nil } == 1)
        #expect(bob.team == nil)
        #expect(try waitedSave(child) == .saved(.counting(inserted: 1, deleted: 1)))
    }
}

/// Runs a save block in the waiting form, for tests that are async.
func waitedBlock(
    _ context: ManagedObjectContext, _ block: sending (ManagedObjectContext) throws -> Void
) throws {
    try context.saveWithBlockAndWait(block)
}
