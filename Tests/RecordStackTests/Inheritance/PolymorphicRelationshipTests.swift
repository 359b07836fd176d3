import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// Relationships to objects of several entities, and relationships that are inherited.
@MainActor
@Suite("Relationships to entity hierarchies") struct PolymorphicRelationshipTests: StaffSuite {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(entities: Staff.entities)
        context = test.stack.newContext()
    }

    private func names<Object: ManagedObject>(_ objects: ToMany<Object>) -> [String] {
        objects.map { "\(type(of: $0))" }.sorted()
    }

    @Test func `a to-one relationship can refer to an object of any subentity`() throws {
        let (clerk, manager, driver) = try context.makeStaff()
        for (title, head) in [("A", clerk), ("B", manager), ("C", driver)] as [(String, Employee)] {
            let office = try Office.create(in: context, title: title)
            office.head = head
            #expect(office.head === head)
        }
        _ = try waitedSave(context)
        for context in [test.stack.newContext(), test.stack.newContext().newChild()] {
            let offices = try Office.find(sortedBy: .ascending(\.title), in: context)
            #expect(context.registeredObjectCount == 3)
            #expect((offices[1].head as? Manager)?.level == 5)
            #expect(offices[0].head as? Manager == nil && offices[0].head is Clerk)
            #expect((offices[2].head as? Driver)?.licence == "B")
            #expect(try Employee.find(in: context)[2] === offices[2].head)
            #expect(offices.map { "\(type(of: $0.head!))" } == ["Clerk", "Manager", "Driver"])
        }
    }

    @Test func `a filter on a to-one relationship can use superentity properties`() throws {
        let (clerk, manager, _) = try context.makeStaff()
        try Office.create(in: context, title: "A", head: clerk)
        try Office.create(in: context, title: "B", head: manager)
        let check = { (context: ManagedObjectContext) throws in
            let found = try Office.find(in: context) { $0.head.name == "m" }
            #expect(found.map(\.title) == ["B"])
            let id = manager.objectID
            #expect(try Office.find(in: context) { $0.head == id }.map(\.title) == ["B"])
        }
        try check(context)
        _ = try waitedSave(context)
        try check(test.stack.newContext())
    }

    @Test func `an object ID that names the superentity finds the subentity's object`() throws {
        let (_, manager, _) = try context.makeStaff()
        let office = try Office.create(in: context, title: "A", head: manager)
        _ = try waitedSave(context)
        let id = try #require(try office.snapshot.head)
        #expect(id == manager.objectID && id.entityName == "Employee")
        #expect(manager.objectID.entityName == "Manager")
        let other = test.stack.newContext()
        #expect(try other.object(id) is Manager)
        #expect(try Employee.existing(id, in: other) is Manager)
        #expect(other.registeredObject(id) is Manager)
        #expect(throws: RecordStackError.self) { try Driver.existing(id, in: other) }
        // An ID with the name of the object's own entity needs no read.
        let third = test.stack.newContext()
        let copy = try #require(ManagedObjectID("\(manager.objectID)"))
        let fault = try test.expectStatements(0) { try third.object(copy) }
        #expect(fault.isFault)
        #expect(try third.object(copy) is Manager)
    }

    @Test func `a to-many relationship can hold objects of several entities`() throws {
        let (clerk, manager, driver) = try context.makeStaff()
        let office = try Office.create(in: context, title: "A")
        for employee in [clerk, manager, driver] as [Employee] { office.staff.insert(employee) }
        #expect(names(office.staff) == ["Clerk", "Driver", "Manager"])
        #expect(manager.office === office && driver.office === office)
        _ = try waitedSave(context)
        let other = test.stack.newContext()
        let copy = try #require(try Office.findFirst(in: other))
        #expect(names(copy.staff) == ["Clerk", "Driver", "Manager"])
        #expect(copy.staff.compactMap { ($0 as? Manager)?.level } == [5])
        copy.staff.remove(try #require(copy.staff.first { $0 is Driver }))
        #expect(try Driver.findFirst(in: other)?.office == nil)
        _ = try waitedSave(other)
        _ = try Office.count(in: context)
        #expect(names(office.staff) == ["Clerk", "Manager"] && driver.office == nil)
    }

    @Test func `a relationship to a subentity holds its objects and its subentities'`() throws {
        let (clerk, manager, _) = try context.makeStaff()
        let project = try Project.create(in: context, title: "P")
        project.clerks.insert(clerk)
        project.clerks.insert(manager)
        project.manager = manager
        #expect(manager.projects.map(\.title) == ["P"] && manager.project === project)
        _ = try waitedSave(context)
        let other = test.stack.newContext()
        let copy = try #require(try Project.findFirst(in: other))
        #expect(names(copy.clerks) == ["Clerk", "Manager"] && copy.manager?.level == 5)
        #expect(copy.manager?.projects.contains(copy) == true)
        #expect(
            try Project.count(in: other) { $0.manager.level > 4 && $0.manager.name == "m" } == 1)
        #expect(try Clerk.count(in: other) { $0.project.manager.level == 5 } == 2)
        #expect(try Manager.count(in: other) { $0.project.manager.level == 5 } == 1)
    }

    @Test func `an entity hierarchy can have relationships between its own objects`() throws {
        let (clerk, manager, driver) = try context.makeStaff()
        manager.reports.insert(clerk)
        driver.boss = manager
        clerk.reports.insert(manager)
        #expect(names(manager.reports) == ["Clerk", "Driver"] && manager.boss === clerk)
        _ = try waitedSave(context)
        let other = test.stack.newContext()
        let copy = try #require(try Manager.findFirst(in: other))
        #expect(names(copy.reports) == ["Clerk", "Driver"] && copy.boss is Clerk)
        #expect(try Employee.count(in: other) { $0.boss.boss.badge == 1 } == 2)
        try copy.delete()
        #expect(try Employee.count(in: other) { $0.boss == nil } == 2)
        _ = try waitedSave(other)
        _ = try Employee.count(in: context)
        #expect(manager.objectState == .detached && driver.boss == nil)
        #expect(clerk.reports.isEmpty)
    }

    @Test func `deleting an object clears references to it typed as any superentity`() throws {
        let (clerk, manager, driver) = try context.makeStaff()
        let office = try Office.create(in: context, title: "A", head: manager)
        let project = try Project.create(in: context, title: "P", manager: manager)
        (clerk.boss, driver.boss, manager.office) = (manager, manager, office)
        (manager.project, clerk.project) = (project, project)
        _ = try waitedSave(context)
        let other = test.stack.newContext()
        try Manager.findFirst(in: other)?.delete()
        _ = try waitedSave(other)
        _ = try Office.count(in: context)
        #expect(office.head == nil && project.manager == nil && clerk.boss == nil)
        #expect(office.staff.isEmpty && names(project.clerks) == ["Clerk"])
        try project.delete()
        #expect(clerk.project == nil)
        _ = try waitedSave(context)
        #expect(try Employee.count(in: test.stack.newContext()) { $0.boss == nil } == 2)
    }

    @Test func `to-many relationships of sibling entities keep separate members`() throws {
        let test = try TestStack(for: Litters.Hound.self, Litters.Puss.self)
        let context = test.stack.newContext()
        let hound = try Litters.Hound.create(in: context)
        let puss = try Litters.Puss.create(in: context)
        let puppies = try (0..<3).map { _ in try Litters.Puppy.create(in: context, mother: hound) }
        let kittens = try (0..<3).map { _ in try Litters.Kitten.create(in: context, mother: puss) }
        _ = try waitedSave(context)
        // Puppies and kittens have the same keys.
        try #require(Set(puppies.map(\.objectID.key)) == Set(kittens.map(\.objectID.key)))
        #expect(hound.young.count == 3 && puss.young.count == 3)
        try puppies[0].delete()
        #expect(hound.young.count == 2 && puss.young.count == 3)
        kittens[1].mother = nil
        #expect(hound.young.count == 2 && puss.young.count == 2)
        context.rollback()
        // The keys of the members are known, but the context holds no member.
        let other = test.stack.newContext()
        let mothers = try Litters.Mother.find(in: other)
        let counts = {
            mothers.map {
                (($0 as? Litters.Hound)?.young.count ?? 0)
                    + (($0 as? Litters.Puss)?.young.count ?? 0)
            }
        }
        #expect(counts() == [3, 3] && other.registeredObjectCount == 2)
        try puppies[2].delete()
        _ = try waitedSave(context)
        _ = try Litters.Mother.count(in: other)
        #expect(counts() == [2, 3])
    }
}

enum Litters {
    @Entity(.abstract) class Mother: ManagedObject {
        @Attribute var name: String = ""
    }

    @Entity final class Hound: Mother {
        @Relationship var young: ToMany<Puppy>
    }

    @Entity final class Puss: Mother {
        @Relationship var young: ToMany<Kitten>
    }

    @Entity final class Puppy: ManagedObject {
        @Relationship(inverse: \Hound.young) var mother: Hound?
    }

    @Entity final class Kitten: ManagedObject {
        @Relationship(inverse: \Puss.young) var mother: Puss?
    }
}
