import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// Objects that one context deletes while another context holds, changes or refers to them.
@MainActor
@Suite("Deletions across contexts") struct DeletionTests {
    private let test: TestStack
    private let parent: ManagedObjectContext
    private let child: ManagedObjectContext
    /// Another stack on the same file, whose saves these contexts do not notice.
    private let other: ContextStack

    init() throws {
        test = try TestStack(
            entities: [Person.self, Team.self], at: .temporaryFile, options: .hearingOfNobody)
        parent = test.stack.newContext(name: "parent")
        child = parent.newChild()
        other = try ContextStack(
            for: Person.self, Team.self, at: .file(try #require(test.path)))
    }

    private var stored: [Snapshot<Person>] {
        get throws { try Person.snapshots(in: test.stack.newContext()) }
    }

    private func ann(name: String = "1", team: Team? = nil) throws -> Person {
        let ann = try Person.create(in: parent, email: "ann", name: name, team: team)
        _ = try waitedSave(parent)
        return ann
    }

    private func mine(_ object: Person) throws -> Person {
        try Person.existing(object.objectID, in: child)
    }

    @Test func `a child's edit survives its parent's rollback of a deletion`() async throws {
        let ann = try ann()
        let mine = try mine(ann)
        try ann.delete()
        #expect(try Person.count(in: child) == 0)
        mine.name = "2"
        #expect(child.deletedObjects.isEmpty && child.updatedObjects.first === mine)
        parent.rollback()
        #expect(try Person.find(in: child).map(\.name) == ["2"])
        #expect(try await child.save() == .saved(.updating(1)))
        #expect(try stored.map(\.name) == ["2"])
    }

    @Test func `a child's conflict with a save block survives its parent's rollback`() async throws
    {
        let ann = try ann()
        let id = ann.objectID
        ann.age = 5
        try mine(ann).name = "child's"
        try await test.stack.saveWithBlock { try Person.existing(id, in: $0).name = "theirs" }
        #expect(try Person.count(in: child) == 1)
        parent.rollback()
        let error = await #expect(throws: RecordStackError.self) { try await child.save() }
        #expect(error?.code == .conflict)
        #expect(try stored.map(\.name) == ["theirs"])
    }

    @Test func `a parent's rolled-back deletion keeps its child's conflict with a save`()
        async throws
    {
        let ann = try ann()
        let id = ann.objectID
        try mine(ann).name = "child's"
        try ann.delete()
        #expect(try Person.count(in: child) == 0)
        try await test.stack.saveWithBlock { try Person.existing(id, in: $0).name = "theirs" }
        #expect(try Person.count(in: child) == 0)
        parent.rollback()
        let error = await #expect(throws: RecordStackError.self) { try await child.save() }
        #expect(error?.code == .conflict)
        #expect(try stored.map(\.name) == ["theirs"])
    }

    @Test
    func `deleting an object that another context has deleted changes nothing`() async throws {
        let ann = try ann()
        let id = ann.objectID
        try await test.stack.saveWithBlock { try Person.existing(id, in: $0).delete() }
        try ann.delete()
        #expect(!parent.hasChanges && parent.deletedObjects.isEmpty)
        #expect(try await parent.save() == .noChanges)
    }

    @Test
    func `deleting objects in a loop accepts one that a save block has deleted`() async throws {
        for email in ["ann", "bob", "cem"] { try Person.create(in: parent, email: email) }
        try await parent.save()
        let all = try Person.find(sortedBy: .ascending(\.email), in: parent)
        let last = try #require(all.last).objectID
        try all[0].delete()
        try await test.stack.saveWithBlock { try Person.existing(last, in: $0).delete() }
        // The second deletion is the operation that merges what the block saved.
        for person in all.dropFirst() { try person.delete() }
        #expect(all[2].objectState == .detached)
        try parent.delete(all)
        #expect(try await parent.save() == .saved(.deleting(2)))
    }

    /// A random test found this sequence: a later save of the child overwrote the parent's save.
    @Test
    func `a grandchild can delete an object whose edits its ancestors have saved`() async throws {
        let ann = try ann()
        let grandchild = child.newChild()
        ann.name = "2"
        try mine(ann).name = "3"
        let theirs = try Person.existing(ann.objectID, in: grandchild)
        #expect(theirs.name == "3")
        try theirs.delete()
        try await parent.save()
        #expect(try Person.count(in: grandchild) == 0)
        try child.push()
        try await parent.save()
        #expect(try Person.count(in: grandchild) == 0)
        #expect(try await grandchild.save() == .saved(.deleting(1)))
        #expect(try stored.isEmpty)
    }

    @Test
    func `a grandchild's deletion conflicts with a save of another context`() async throws {
        let ann = try ann()
        let id = ann.objectID
        let grandchild = child.newChild()
        try mine(ann).name = "3"
        try Person.existing(id, in: grandchild).delete()
        try await test.stack.saveWithBlock { try Person.existing(id, in: $0).name = "theirs" }
        let error = await #expect(throws: RecordStackError.self) { try await grandchild.save() }
        #expect(error?.code == .conflict)
        #expect(try stored.map(\.name) == ["theirs"])
    }

    @Test
    func `pushing a grandchild's deletion conflicts with a grandparent's edit`() async throws {
        let ann = try ann()
        let id = ann.objectID
        let grandchild = child.newChild()
        try mine(ann).age = 3
        try Person.existing(id, in: grandchild).delete()
        ann.name = "later"
        let error = #expect(throws: RecordStackError.self) { try grandchild.push() }
        #expect(error?.conflicts.map(\.kind) == [.deletedHere])
        #expect(try await grandchild.save(mergePolicy: .storeTrump) == .saved(.updating(1)))
        #expect(try stored.map(\.name) == ["later"])
    }

    @Test func `deleting a fault whose row is gone detaches it without an error`() async throws {
        let ann = try ann()
        try parent.refresh(ann, mergingChanges: false)
        try await other.saveWithBlock { try Person.deleteAll(in: $0) }
        #expect(ann.isFault)
        try ann.delete()
        #expect(ann.objectState == .detached && !parent.hasChanges)
    }

    @Test func `an object can be deleted twice, but not after its context's reset`() throws {
        let new = try Person.create(in: parent, email: "new")
        try new.delete()
        try new.delete()
        let ann = try ann()
        parent.reset()
        let error = #expect(throws: RecordStackError.self) { try ann.delete() }
        #expect(error?.code == .misuse)
    }

    @Test(arguments: [false, true])
    func `saving a deletion that another stack also made is no conflict`(writes: Bool)
        async throws
    {
        let ann = try ann()
        try ann.delete()
        if writes { try Person.create(in: parent, email: "bob") }
        try await other.saveWithBlock { try Person.findFirst(in: $0)?.delete() }
        #expect(try await parent.save() == (writes ? .saved(.inserting(1)) : .noChanges))
        #expect(!parent.hasChanges && ann.objectState == .detached)
        try other.close()
    }

    @Test func `a failed push leaves all changes in the child`() async throws {
        let setup = test.stack.newContext()
        let id = try Person.create(in: setup, email: "ann").objectID
        try await setup.save()
        try Person.create(in: child, email: "bob")
        try Person.existing(id, in: child).name = "x"
        try await other.saveWithBlock { try Person.findFirst(in: $0)?.delete() }
        let error = #expect(throws: RecordStackError.self) { try child.push() }
        #expect(error?.conflicts.first?.kind == .deletedElsewhere)
        #expect(!parent.hasChanges && child.hasChanges)
        try other.close()
    }

    @Test func `a deletion that the commit log has dropped clears unsaved references`() async throws
    {
        let team = try Team.create(in: parent, title: "A")
        let held = try Team.create(in: parent, title: "B")
        let ann = try Person.create(in: parent, email: "ann")
        let bob = try Person.create(in: parent, email: "bob")
        try await parent.save()
        (ann.team, bob.team) = (team, held)
        try await test.stack.saveWithBlock { try Team.deleteAll(in: $0) }
        try await test.stack.saveWithBlock { context in
            for index in 0..<20_001 { try Person.create(in: context, email: "p\(index)") }
        }
        #expect(try Team.count(in: parent) == 0)
        #expect(ann.team == nil && bob.team == nil)
        try await parent.save()
    }

    @Test
    func `rolling back a deletion shows a save that the commit log dropped`() async throws {
        let ann = try ann()
        let id = ann.objectID
        try ann.delete()
        try await test.stack.saveWithBlock { try Person.existing(id, in: $0).name = "theirs" }
        try await test.stack.saveWithBlock { context in
            for index in 0..<20_001 { try Person.create(in: context, email: "p\(index)") }
        }
        #expect(try Person.count(in: parent) == 20_001)
        parent.rollback()
        #expect(ann.name == "theirs")
    }

    @Test func `a parent's save of its edit is no conflict with a child's deletion`() async throws {
        let ann = try ann()
        ann.name = "2"
        let mine = try mine(ann)
        #expect(mine.name == "2")
        try mine.delete()
        try await parent.save()
        #expect(try await child.save() == .saved(.deleting(1)))
        #expect(try stored.isEmpty)
    }

    @Test
    func `relating a deleted object does not make it a member of a to-many`() async throws {
        let a = try Team.create(in: parent, title: "A")
        let ann = try ann()
        #expect(a.members.isEmpty)
        try ann.delete()
        ann.team = a
        #expect(a.members.isEmpty)
        parent.rollback()
        #expect(a.members.isEmpty && ann.team == nil)
    }

    @Test func `relating an object that another context deleted makes it no member`() async throws {
        let a = try Team.create(in: parent, title: "A")
        let ann = try ann()
        let id = ann.objectID
        #expect(a.members.isEmpty)
        ann.name = "mine"
        try await test.stack.saveWithBlock { try Person.existing(id, in: $0).delete() }
        #expect(try Person.count(in: parent) == 0)
        ann.team = a
        #expect(a.members.isEmpty)
    }

    @Test func `refreshing a deleted object adds it to no relationship`() async throws {
        let a = try Team.create(in: parent, title: "A")
        let b = try Team.create(in: parent, title: "B")
        let ann = try ann(team: a)
        let id = ann.objectID
        #expect(b.members.isEmpty)
        try ann.delete()
        try await test.stack.saveWithBlock { context in
            let team = try Team.findFirst(by: \.title, "B", in: context)
            try Person.existing(id, in: context).team = team
        }
        await #expect(throws: RecordStackError.self) { try await parent.save() }
        try parent.refresh(ann)
        #expect(try Person.count(in: parent) == 0 && b.members.isEmpty)
        #expect(try await parent.save() == .saved(.deleting(1)))
    }

    @Test func `a child's rollback does not restore a member that its parent deletes`() async throws
    {
        let a = try Team.create(in: parent, title: "A")
        let b = try Team.create(in: parent, title: "B")
        let ann = try ann(team: a)
        try mine(ann).team = try Team.existing(b.objectID, in: child)
        try ann.delete()
        #expect(try Person.count(in: child) == 0)
        let members = try Team.existing(a.objectID, in: child).members
        #expect(members.isEmpty)
        child.rollback()
        #expect(members.isEmpty)
    }

    @Test func `a detached object has no changes`() throws {
        let ann = try Person.create(in: parent, email: "ann")
        parent.rollback()
        #expect(ann.objectState == .detached && !ann.hasChanges)
        let bob = try Person.create(in: parent, email: "bob")
        parent.reset()
        #expect(bob.objectState == .detached && !bob.hasChanges)
    }

    @Test func `a child's refresh keeps an object deleted that its parent deletes`() throws {
        let ann = try ann()
        let mine = try mine(ann)
        try ann.delete()
        #expect(try Person.count(in: child) == 0)
        try child.refresh(mine, mergingChanges: false)
        #expect(mine.objectState == .deleted)
        #expect(child.registeredObject(ann.objectID) == nil)
    }

    @Test func `deleting 20,000 unsaved objects leaves no changes and releases them`() throws {
        // If each deletion searched the whole list, 10,000 objects would take 5 seconds, and 20,000
        // four times that.
        for index in 0..<20_000 { try Person.create(in: parent, email: "p\(index)") }
        #expect(try Person.deleteAll(in: parent) == 20_000)
        #expect(!parent.hasChanges && parent.registeredObjectCount < 100)
    }
}
