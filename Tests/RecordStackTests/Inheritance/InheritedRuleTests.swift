import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// The table of a hierarchy, and the rules and indexes that its levels declare.
@Suite("Rules of entity hierarchies") struct InheritedRuleTests: StaffSuite {
    private func schema(_ test: TestStack) throws -> [String: String] {
        let rows = try ForeignProgram(path: #require(test.path)).rows(
            "SELECT name, sql FROM sqlite_master WHERE sql NOT NULL")
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }

    @Test func `an entity hierarchy's table has all its entities' columns and indexes`() throws {
        let test = try TestStack(entities: Staff.entities, at: .temporaryFile)
        let schema = try schema(test)
        #expect(
            schema["Employee"] == """
                CREATE TABLE "Employee" ("_key" INTEGER PRIMARY KEY, "_version" INTEGER NOT NULL, \
                "_entity" TEXT NOT NULL, "badge" INTEGER NOT NULL, "name" TEXT NOT NULL, \
                "grade" INTEGER NOT NULL, \
                "office" INTEGER REFERENCES "Office"("_key") DEFERRABLE INITIALLY DEFERRED, \
                "boss" INTEGER REFERENCES "Employee"("_key") DEFERRABLE INITIALLY DEFERRED, \
                "desk_number" INTEGER, "phone" TEXT, \
                "project" INTEGER REFERENCES "Project"("_key") DEFERRABLE INITIALLY DEFERRED, \
                "licence" TEXT, "driver_level" INTEGER, "level" INTEGER, "bonus" REAL)
                """)
        let indexes = schema.keys.filter { $0.hasPrefix("_Employee") }.sorted()
        #expect(
            indexes == [
                "_Employee.badge", "_Employee.boss", "_Employee.level",
                "_Employee.name,desk_number.unique",
                "_Employee.name,grade", "_Employee.office", "_Employee.phone", "_Employee.project",
            ])
        #expect(
            schema.keys.filter { !$0.hasPrefix("_") }.sorted() == ["Employee", "Office", "Project"])
    }

    @Test func `a unique rule applies to its entity and subentities, not to siblings`() throws {
        let context = try TestStack(entities: Staff.entities).stack.newContext()
        let (clerk, manager, driver) = try context.makeStaff()
        func expectTaken(_ property: String, _ sourceLocation: SourceLocation = #_sourceLocation) {
            let error = #expect(throws: RecordStackError.self, sourceLocation: sourceLocation) {
                try waitedSave(context)
            }
            #expect(error?.code == .constraint, sourceLocation: sourceLocation)
            #expect(error?.property == property, "\(error as Any)", sourceLocation: sourceLocation)
        }
        driver.badge = manager.badge
        expectTaken("badge")
        driver.badge = 3
        (clerk.phone, manager.phone) = ("1", "1")
        expectTaken("phone")
        manager.phone = nil
        (clerk.name, manager.name, driver.name) = ("n", "n", "n")
        manager.desk = clerk.desk
        expectTaken("name")
        manager.desk = nil
        #expect(try waitedSave(context) == .saved(.inserting(3)))
    }

    @Test func `one save can exchange unique values between entities of a hierarchy`() throws {
        let test = try TestStack(entities: Staff.entities)
        let context = test.stack.newContext()
        let (clerk, manager, driver) = try context.makeStaff()
        (clerk.phone, manager.phone) = ("1", "2")
        (clerk.name, manager.name, manager.desk) = ("n", "n", 2)
        _ = try waitedSave(context)
        (clerk.badge, manager.badge, driver.badge) = (2, 3, 1)
        (clerk.phone, manager.phone) = ("2", "1")
        (clerk.desk, manager.desk) = (2, 1)
        #expect(try waitedSave(context) == .saved(.updating(3)))
        let stored = try Employee.find(in: test.stack.newContext())
        #expect(stored.map(\.badge) == [2, 3, 1])
        #expect(stored.map { ($0 as? Clerk)?.desk } == [2, 1, nil])
        #expect(stored.map { ($0 as? Clerk)?.phone } == ["2", "1", nil])
    }

    @Test func `adding a subentity to the model keeps the rows of the store`() throws {
        let test = try TestStack(for: Driver.self, at: .temporaryFile) { context in
            let driver = try Driver.create(in: context, licence: "B")
            driver.badge = 1
        }
        try test.stack.close()
        let stack = try ContextStack(
            entities: Staff.entities, at: .file(#require(test.path)))
        let context = stack.newContext()
        _ = try context.create(Manager.self).badge = 2
        try context.saveAndWait()
        #expect(try Employee.find(in: stack.newContext()).map(\.badge) == [1, 2])
        #expect(try Clerk.count(in: stack.newContext()) == 1)
        try stack.close()
    }

    @Test(arguments: ["'Boss'", "''", "x'436C65726B'", "'clerk'", "'Office'"])
    func `a find throws corrupt for a row with an unknown entity name`(name: String) throws {
        let test = try TestStack(entities: Staff.entities, at: .temporaryFile) {
            _ = try $0.makeStaff()
        }
        try ForeignProgram(path: #require(test.path)).run(
            "UPDATE Employee SET _entity = \(name) WHERE badge = 2")
        let context = test.stack.newContext()
        let error = #expect(throws: RecordStackError.self) { try Employee.find(in: context) }
        #expect(error?.code == .corrupt, "\(error as Any)")
        #expect(error?.message.contains("which the model does not have") == true)
        #expect(throws: RecordStackError.self) {
            try Employee.findFirst(by: \.badge, 2, in: context)
        }
        #expect(try Clerk.find(in: context).map(\.badge) == [1])
        #expect(try Driver.find(in: context).map(\.badge) == [3])
    }

    @Test func `a find throws corrupt if another program changes a loaded row's entity`() throws {
        let test = try TestStack(entities: Staff.entities, at: .temporaryFile) {
            _ = try $0.makeStaff()
        }
        let context = test.stack.newContext()
        let clerk = try #require(try Clerk.findFirst(by: \.badge, 1, in: context))
        try ForeignProgram(path: #require(test.path)).run(
            "UPDATE Employee SET _entity = 'Manager', level = 1, _version = 2 WHERE badge = 1")
        let error = #expect(throws: RecordStackError.self) { try Employee.find(in: context) }
        #expect(error?.code == .corrupt && error?.message.contains("another entity now") == true)
        #expect(clerk.name == "c")
        #expect(try Employee.findFirst(by: \.badge, 1, in: test.stack.newContext()) is Manager)
    }
}
