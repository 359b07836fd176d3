import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Abstract entities, which have no objects.
@MainActor
@Suite("Abstract entities") struct AbstractEntityTests: StaffSuite {
    private func expectMisuse(
        _ message: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) {
        let error = #expect(throws: RecordStackError.self, sourceLocation: sourceLocation) {
            try body()
        }
        #expect(error?.code == .misuse, sourceLocation: sourceLocation)
        #expect(
            error?.message.contains(message) == true, "\(error as Any)",
            sourceLocation: sourceLocation)
    }

    @Test func `creating an abstract entity throws and names its concrete subentities`() throws {
        let context = try TestStack(entities: Staff.entities).stack.newContext()
        let wanted =
            "Employee is abstract, so there are no objects of it. Make one of an entity "
            + "that inherits from it: Clerk, Manager, Driver."
        expectMisuse(wanted) { try context.create(Employee.self) }
        expectMisuse(wanted) { try Employee.create(in: context) }
        expectMisuse(wanted) { _ = try Employee.findFirstOrCreate(by: \.badge, 1, in: context) }
        expectMisuse(wanted) { try Employee.importJSON(Data("[]".utf8), in: context) }
        #expect(!context.hasChanges && Employee.entityDescription.isAbstract)
        #expect(!Clerk.entityDescription.isAbstract && !Office.entityDescription.isAbstract)
    }

    @Test func `findFirstOrCreate of an abstract entity finds an existing object`() throws {
        let context = try TestStack(entities: Staff.entities).stack.newContext()
        let (clerk, _, _) = try context.makeStaff()
        #expect(try Employee.findFirstOrCreate(by: \.badge, 1, in: context) === clerk)
    }

    @Test func `a model with an abstract entity needs a concrete subentity`() {
        expectMisuse("Employee is abstract, and no entity of the model that is not inherits") {
            _ = try TestStack(for: Office.self)
        }
        expectMisuse("Add those that do where the stack is made") {
            _ = try TestStack(for: Office.self, Rocks.Layer.self)
        }
        #expect(throws: Never.self) { try TestStack(for: Office.self, Driver.self) }
    }

    @Test func `an abstract entity can inherit from abstract and concrete entities`() throws {
        let test = try TestStack(for: Rocks.Stone.self, Rocks.Pebble.self, Rocks.Gravel.self) {
            context in
            _ = try Rocks.Stone.create(in: context, weight: 1)
            try Rocks.Gravel.create(in: context, size: 2).weight = 3
        }
        let context = test.stack.newContext()
        #expect(try Rocks.Layer.find(in: context).map { "\(type(of: $0))" } == ["Stone", "Gravel"])
        #expect(try Rocks.Pebble.find(in: context).map(\.weight) == [3])
        #expect(try context.count(Rocks.Stone.all.excludingSubentities()) == 1)
        expectMisuse("inherits from it: Gravel.") { try context.create(Rocks.Pebble.self) }
        expectMisuse("inherits from it: Stone, Gravel.") {
            try context.create(Rocks.Layer.self)
        }
    }

    @Test func `a row of an abstract entity is corrupt, and other rows stay readable`() throws {
        let test = try TestStack(entities: Staff.entities, at: .temporaryFile) {
            _ = try $0.makeStaff()
        }
        try ForeignProgram(path: #require(test.path)).run(
            "INSERT INTO Employee (_key, _version, _entity, badge, name, grade) "
                + "VALUES (900, 1, 'Employee', 900, '', 1)")
        let context = test.stack.newContext()
        let error = #expect(throws: RecordStackError.self) { try Employee.find(in: context) }
        #expect(error?.code == .corrupt && error?.entity == "Employee")
        #expect(error?.message.contains("the entity Employee, which is abstract") == true)
        #expect(throws: RecordStackError.self) {
            try Employee.findFirst(by: \.badge, 900, in: context)
        }
        #expect(try Clerk.count(in: context) == 2)
        #expect(try Clerk.find(in: context).count == 2 && Driver.find(in: context).count == 1)
        #expect(try Employee.findFirst(by: \.badge, 3, in: context) is Driver)
    }

    @Test func `an EntityDescription with the option .abstract is abstract`() throws {
        let description = EntityDescription(
            name: "Base", type: Rocks.Layer.self, properties: [], options: [.abstract])
        #expect(description.isAbstract)
    }
}

enum Rocks {
    @Entity(.abstract) class Layer: ManagedObject {
        @Attribute var weight: Int = 0
    }

    @Entity class Stone: Layer {
        @Attribute var colour: String = "grey"

        /// Creates a stone with a weight. An abstract superentity has no `create` for this.
        static func create(in context: ManagedObjectContext, weight: Int) throws -> Self {
            let stone = try create(in: context)
            stone.weight = weight
            return stone
        }
    }

    @Entity(.abstract) class Pebble: Stone {
        @Attribute var isRound: Bool = true
    }

    @Entity final class Gravel: Pebble {
        @Attribute var size: Int
    }
}
