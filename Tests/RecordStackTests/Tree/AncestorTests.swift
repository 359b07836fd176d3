import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// Contexts whose changes depend on objects that ancestors, or other contexts, delete and roll
/// back.
@MainActor
@Suite("Contexts below changing ancestors") struct AncestorTests {
    private let test: TestStack
    private let parent: ManagedObjectContext
    private let child: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Person.self, Team.self)
        parent = test.stack.newContext(name: "parent")
        child = parent.newChild()
    }

    /// Returns a person that the parent has edited and another context has deleted.
    private func deletedElsewhere() async throws -> Person {
        let ann = try Person.create(in: parent, email: "ann", name: "base")
        try await parent.save()
        let id = ann.objectID
        ann.name = "ours"
        try await test.stack.saveWithBlock { try Person.existing(id, in: $0).delete() }
        #expect(try Person.count(in: parent) == 0)
        return ann
    }

    @Test func `an edited object deleted elsewhere leaves requests but keeps its edit`()
        async throws
    {
        let ann = try await deletedElsewhere()
        let id = ann.objectID
        #expect(try Person.find(in: parent).isEmpty && ann.name == "ours")
        #expect(ann.objectState == .deleted && ann.hasChanges && parent.hasChanges)
        #expect(parent.updatedObjects.first === ann && parent.deletedObjects.isEmpty)
        #expect(parent.registeredObject(id) === ann)
        #expect(throws: RecordStackError.self) { try Person.existing(id, in: parent) }
        #expect(throws: RecordStackError.self) { try parent.refresh(ann) }
        let error = await #expect(throws: RecordStackError.self) { try await parent.save() }
        #expect(error?.code == .conflict && error?.conflicts.first?.kind == .deletedElsewhere)
    }

    @Test(arguments: ["rollback", "delete", "edit back", "refresh"])
    func `rollback, delete, refresh or setting back ends an orphaned edit`(
        with way: String
    ) async throws {
        let ann = try await deletedElsewhere()
        switch way {
        case "rollback": parent.rollback()
        case "delete": try ann.delete()
        case "edit back": ann.name = "base"
        default: try parent.refresh(ann, mergingChanges: false)
        }
        #expect(try await parent.save() == .noChanges)
        #expect(ann.objectState == .detached && !parent.hasChanges)
    }

    @Test func `a push conflicts with the grandparent's later edit of the same value`() async throws
    {
        let ann = try Person.create(in: parent, email: "ann", name: "base", age: 1)
        try await parent.save()
        let grandchild = child.newChild()
        let theirs = try Person.existing(ann.objectID, in: grandchild)
        theirs.name = "grandchild"
        ann.name = "grandparent"
        let error = #expect(throws: RecordStackError.self) { try grandchild.push() }
        #expect(error?.conflicts.first?.properties.first?.theirs == .text("grandparent"))
        #expect(theirs.name == "grandchild" && !child.hasChanges)
        ann.age = 2
        ann.name = "base"
        try grandchild.push()
        #expect(try Person.existing(ann.objectID, in: child).name == "grandchild")
        try await child.save()
        #expect(ann.name == "grandchild" && ann.age == 2)
    }

    @Test
    func `a push conflicts with its parent's later edit, not with others' saves`() async throws {
        let ann = try Person.create(in: parent, email: "ann", name: "base")
        try await parent.save()
        let id = ann.objectID
        ann.name = "parent"
        let childAnn = try Person.existing(id, in: child)
        childAnn.name = "child"
        try await test.stack.saveWithBlock { try Person.existing(id, in: $0).name = "elsewhere" }
        ann.name = "parent, later"
        let error = #expect(throws: RecordStackError.self) { try child.push() }
        let property = error?.conflicts.first?.properties.first
        #expect(property?.base == .text("parent") && property?.theirs == .text("parent, later"))
        ann.name = "parent"
        try child.push()
        #expect(ann.name == "child")
        await #expect(throws: RecordStackError.self) { try await parent.save() }
    }

    @Test func `a parent's deletion hides a child's edit until the parent rolls back`() async throws
    {
        let team = try Team.create(in: parent, title: "A")
        let ann = try Person.create(in: parent, email: "ann", team: team)
        try await parent.save()
        let mine = try Person.existing(ann.objectID, in: child)
        let members = try Team.existing(team.objectID, in: child).members
        mine.name = "child's"
        #expect(members.count == 1)
        try ann.delete()
        #expect(try Person.count(in: child) == 0 && members.isEmpty)
        let error = #expect(throws: RecordStackError.self) { try child.push() }
        #expect(error?.conflicts.first?.kind == .deletedElsewhere)
        parent.rollback()
        #expect(try Person.find(in: child) { $0.name == "child's" }.first === mine)
        #expect(members.count == 1)
        try child.push()
        #expect(ann.name == "child's")
    }

    @Test func `rolling back a deletion restores no reference to a discarded object`() async throws
    {
        let ann = try Person.create(in: parent, email: "ann")
        try await parent.save()
        let team = try Team.create(in: parent, title: "new")
        let mine = try Person.existing(ann.objectID, in: child)
        mine.team = try Team.existing(team.objectID, in: child)
        parent.rollback()
        try ann.delete()
        #expect(try Person.count(in: child) == 0)
        parent.rollback()
        #expect(try Person.find(in: child).map { $0.team?.title } == [nil])
        #expect(try Team.count(in: child) == 0 && !child.hasChanges)
    }

    @Test func `a rolled back new object is gone even if another row has its key`() async throws {
        // Both objects have the first key of their tables.
        let team = try Team.create(in: parent, title: "A")
        try await parent.save()
        team.title = "B"
        let ann = try Person.create(in: parent, email: "ann")
        #expect(ann.objectID.key == team.objectID.key)
        try Team.existing(team.objectID, in: child).title = "C"
        let mine = try Person.existing(ann.objectID, in: child)
        mine.name = "child's"
        parent.rollback()
        #expect(try Person.count(in: child) == 0)
        #expect(try Team.find(in: child).map(\.title) == ["C"])
        #expect(mine.objectState == .deleted)
        try mine.delete()
        let changed = try #require(try Team.findFirst(in: child))
        await #expect(throws: RecordStackError.self) { try await child.save() }
        try changed.resolveConflict(on: \.title, keeping: .ours)
        #expect(try await child.save() == .saved(.updating(1)))
    }

    @Test func `a child's deletion clears a reference restored by a parent's rollback`()
        async throws
    {
        let team = try Team.create(in: parent, title: "A")
        let ann = try Person.create(in: parent, email: "ann", team: team)
        try await parent.save()
        ann.team = nil
        try Team.existing(team.objectID, in: child).delete()
        parent.rollback()
        let mine = try #require(try Person.findFirst(in: child))
        #expect(mine.team == nil && mine.hasChanges)
        #expect(try Person.count(in: child) { $0.team == nil } == 1)
        #expect(try await child.save() == .saved(.counting(updated: 1, deleted: 1)))
    }

    @Test func `deleting a new object that the parent rolls back leaves no change`() throws {
        let ann = try Person.create(in: parent, email: "ann")
        let mine = try Person.existing(ann.objectID, in: child)
        mine.name = "child's"
        try mine.delete()
        parent.rollback()
        #expect(try Person.count(in: child) == 0)
        #expect(try child.push() == .noChanges)
    }

    @Test(arguments: [false, true])
    func `a grandparent's save is no conflict with a grandchild's edit`(isNew: Bool) throws {
        if !isNew {
            try Person.create(in: parent, email: "ann", name: "0")
            _ = try waitedSave(parent)
        }
        let ann =
            try Person.findFirst(by: \.email, "ann", in: parent)
            ?? Person.create(in: parent, email: "ann")
        ann.name = "parent's"
        let grandchild = child.newChild()
        let childs = try Person.existing(ann.objectID, in: child)
        childs.name = "child's"
        let last = try Person.existing(ann.objectID, in: grandchild)
        last.name = "grandchild's"
        _ = try waitedSave(parent)
        #expect(try Person.find(in: grandchild).map(\.name) == ["grandchild's"])
        #expect(try waitedSave(grandchild) == .saved(.updating(1)))
        #expect(try Person.find(in: parent).map(\.name) == ["grandchild's"])
    }

    @Test func `a child's edit conflicts with a later edit that its parent saves`() throws {
        let ann = try Person.create(in: parent, email: "ann", name: "0")
        _ = try waitedSave(parent)
        let childs = try Person.existing(ann.objectID, in: child)
        childs.name = "child's"
        ann.name = "parent's"
        _ = try waitedSave(parent)
        let error = #expect(throws: RecordStackError.self) { try waitedSave(child) }
        #expect(error?.conflicts.first?.properties.map(\.name) == ["name"])
    }

    @Test func `a child's edit equal to its parent's conflicts until it is discarded`() async throws
    {
        let ann = try Person.create(in: parent, email: "ann", name: "1")
        try await parent.save()
        let mine = try Person.existing(ann.objectID, in: child)
        mine.name = "2"
        ann.name = "2"
        #expect(try Person.count(in: child) == 1 && child.hasChanges)
        let error = #expect(throws: RecordStackError.self) { try child.push() }
        #expect(error?.code == .conflict && ann.name == "2")
        try child.refresh(mine, mergingChanges: false)
        #expect(mine.name == "2" && !child.hasChanges)
        mine.name = "1"
        try child.push()
        #expect(ann.name == "1" && mine.name == "1")
    }

    @Test func `deleting a related object restores no reference to a deleted object`() async throws
    {
        let a = try Team.create(in: parent, title: "A")
        let b = try Team.create(in: parent, title: "B")
        let ann = try Person.create(in: parent, email: "ann")
        try await parent.save()
        ann.team = a
        try b.delete()
        let id = ann.objectID
        try await test.stack.saveWithBlock { context in
            let person = try Person.existing(id, in: context)
            person.team = try Team.findFirst(by: \.title, "B", in: context)
        }
        #expect(try Person.count(in: parent) { $0.team == nil } == 0)
        try a.delete()
        #expect(try Person.count(in: parent) { $0.team == nil } == 1 && ann.team == nil)
        #expect(try await parent.save() == .saved(.counting(updated: 1, deleted: 2)))
    }

    @Test func `a deleted object does not join the owner that another save gives it`() async throws
    {
        let a = try Team.create(in: parent, title: "A")
        let b = try Team.create(in: parent, title: "B")
        let ann = try Person.create(in: parent, email: "ann", team: a)
        try await parent.save()
        let id = ann.objectID
        ann.name = "parent's"
        try Person.existing(id, in: child).delete()
        let members = try Team.existing(b.objectID, in: child).members
        #expect(members.isEmpty)
        parent.rollback()
        #expect(try Person.count(in: child) == 0)
        try await test.stack.saveWithBlock { context in
            let person = try Person.existing(id, in: context)
            person.team = try Team.findFirst(by: \.title, "B", in: context)
        }
        #expect(try Person.count(in: child) == 0 && members.isEmpty)
    }

    /// Found by `FlatTwinTests` with the seed 6717054547694547762.
    @Test
    func `deleting a new object in a child is no conflict with ancestors' saves`() async throws {
        let middle = child
        let bottom = middle.newChild()
        let ann = try Person.create(in: parent, email: "ann", name: "parent's")
        try Person.existing(ann.objectID, in: middle).name = "middle's"
        let below = try Person.existing(ann.objectID, in: bottom)
        below.name = "bottom's"
        try below.delete()
        try await parent.save()
        #expect(try Person.count(in: bottom) == 0)
        try middle.push()
        try await parent.save()
        #expect(try Person.count(in: bottom) == 0)
        #expect(try await bottom.save() == .saved(.deleting(1)))
        #expect(try Person.count(in: test.stack.newContext()) == 0)
    }

    @Test func `rolling back a deletion shows another context's change`() async throws {
        let ann = try Person.create(in: parent, email: "ann", name: "base")
        try await parent.save()
        let id = ann.objectID
        try ann.delete()
        try await test.stack.saveWithBlock { try Person.existing(id, in: $0).name = "theirs" }
        #expect(try Person.count(in: parent) == 0)
        parent.rollback()
        #expect(ann.name == "theirs")
        try Person.existing(id, in: child).age = 3
        try child.push()
        #expect(try await parent.save() == .saved(.updating(1)))
    }
}
