import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Inherited properties, named by a subentity's own key paths.
@MainActor
@Suite("Inherited properties") struct InheritedPropertyTests: StaffSuite {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(entities: Staff.entities)
        context = test.stack.newContext()
        for (badge, name, level) in [(10, "x", 4), (11, "y", 4), (12, "x", 2), (13, "x", 5)] {
            let manager = try Manager.create(in: context, level: level)
            (manager.badge, manager.name, manager.desk) = (badge, name, badge)
        }
        let (clerk, _, driver) = try context.makeStaff()
        (clerk.name, driver.name, driver.level) = ("x", "x", 9)
    }

    /// Runs a body before and after a save.
    private func twice(_ body: () throws -> Void) throws {
        try body()
        _ = try waitedSave(context)
        try body()
    }

    @Test func `filters and sort keys can mix inherited and own properties`() throws {
        try twice {
            let found = try Manager.find(
                sortedBy: [.descending(\Manager.name), .ascending(\.desk), .ascending(\.level)],
                in: context
            ) { $0.name == "x" && $0.level > 3 && $0.desk >= 10 }
            #expect(found.map(\.badge) == [10, 13])
            let all = try Manager.find(
                sortedBy: [.ascending(\.name), .descending(\.level)], in: context)
            #expect(all.map(\.badge) == [2, 13, 10, 12, 11])
            let clerks = try Clerk.find(sortedBy: .descending(\Clerk.badge), in: context) {
                $0.name == "x"
            }
            #expect(clerks.map(\.badge) == [13, 12, 10, 1])
        }
    }

    /// Returns the badges of employees with a name, by key paths of a generic parameter.
    private func badges<Entity: Employee>(
        _ type: Entity.Type, named name: String
    ) throws -> [Int] {
        try Entity.find(sortedBy: .descending(\.badge), in: context) { $0.name == name }
            .map(\.badge)
    }

    @Test func `generic code can find objects by the entity's own key paths`() throws {
        try twice { () throws in
            #expect(try badges(Employee.self, named: "x") == [13, 12, 10, 3, 1])
            #expect(try badges(Clerk.self, named: "x") == [13, 12, 10, 1])
            #expect(try badges(Manager.self, named: "x") == [13, 12, 10])
            #expect(try badges(Driver.self, named: "x") == [3])
        }
    }

    @Test func `a lookup by an inherited value finds only objects of its entity`() throws {
        try twice { () throws in
            #expect(try Manager.findFirst(by: \.badge, 1, in: context) == nil)
            #expect(try Manager.findFirst(by: \.badge, 12, in: context)?.level == 2)
            #expect(try Clerk.findFirst(by: \.badge, 12, in: context) is Manager)
            #expect(try Driver.findFirst(by: \.name, "x", in: context)?.badge == 3)
            #expect(try Driver.findFirst(by: \.level, 4, in: context) == nil)
            #expect(try Manager.findFirst(by: \.level, 4, in: context)?.badge == 10)
            #expect(try Clerk.findFirst(by: \.phone, nil, in: context)?.badge == 10)
            let other = test.stack.newContext()
            _ = try Manager.findFirst(by: \.badge, 3, in: other)
            #expect(other.registeredObjectCount == 0)
        }
    }

    @Test func `key paths of superclass and subclass name the same property`() throws {
        let manager = try Manager.create(in: context)
        let (inherited, own): (AnyKeyPath, AnyKeyPath) = (\Employee.badge, \Manager.badge)
        #expect(!manager.isSet(inherited) && !manager.isSet(own))
        manager.badge = 99
        #expect(manager.isSet(inherited) && manager.isSet(own))
        let found = try Manager.find(sortedBy: .descending(\.badge), in: context).first
        #expect(found === manager)
    }

    @Test func `a snapshot found through a superentity has its subentity's values`() throws {
        try twice {
            let snapshots = try Employee.snapshots(sortedBy: .ascending(\.badge), in: context)
            #expect(snapshots.map(\.badge) == [1, 2, 3, 10, 11, 12, 13])
            #expect(snapshots.map { $0.as(Manager.self)?.level } == [nil, 5, nil, 4, 4, 2, 5])
            #expect(
                snapshots.map { $0.as(Driver.self)?.level } == [nil, nil, 9, nil, nil, nil, nil])
            #expect(snapshots[1].as(Clerk.self)?.as(Employee.self) == snapshots[1])
            #expect(snapshots[1].storedValues["level"] == .integer(5))
            #expect(snapshots[0].storedValues["level"] == nil)
            #expect(snapshots[0].storedValues["licence"] == nil)
            #expect(snapshots[2].storedValues["licence"] == .text("B"))
        }
    }

    @Test func `defaults, validation and changedValues include inherited properties`() throws {
        let driver = try context.create(Driver.self)
        #expect(driver.grade == 1 && driver.level == 0 && driver.name == "")
        let error = #expect(throws: RecordStackError.self) { try waitedSave(context) }
        #expect(error?.failures.map(\.property) == ["badge", "licence"])
        (driver.badge, driver.licence) = (50, "C")
        _ = try waitedSave(context)
        (driver.name, driver.level) = ("n", 3)
        #expect(driver.changedValues() == ["name": .text("n"), "level": .integer(3)])
        #expect(driver.committedValues() == ["name": .text(""), "level": .integer(0)])
        context.rollback()
        #expect(driver.name == "" && driver.level == 0)
    }

    @Test func `a value in a column that the row's entity lacks is ignored`() throws {
        let test = try TestStack(entities: Staff.entities, at: .temporaryFile) {
            _ = try $0.makeStaff()
        }
        let program = try ForeignProgram(path: #require(test.path))
        try program.run("UPDATE Employee SET level = 7, licence = 'X' WHERE badge = 1")
        let context = test.stack.newContext()
        #expect(try Manager.count(in: context) { $0.level == 7 } == 0)
        #expect(try Manager.findFirst(by: \.level, 7, in: context) == nil)
        let values = try Clerk.snapshots(in: context)[0].storedValues
        #expect(values["level"] == nil && values["licence"] == nil && values.count == 8)
        try program.run("UPDATE Employee SET licence = NULL WHERE badge = 3")
        let error = #expect(throws: RecordStackError.self) { try Driver.find(in: context) }
        #expect(error?.code == .corrupt && error?.property == "licence")
    }

    @Test func `an import matches objects of subentities by an inherited identity`() throws {
        #expect(Manager.entityDescription.identity?.name == "badge")
        _ = try waitedSave(context)
        let json = Data(#"[{"badge": 10, "name": "new"}, {"badge": 70, "desk": 7}]"#.utf8)
        let report = try Clerk.importJSON(json, in: context)
        #expect(report.updated == 1 && report.inserted == 1)
        let manager = try Manager.findFirst(by: \.badge, 10, in: context)
        #expect(manager?.name == "new" && manager?.level == 4)
        let clerk = try Clerk.findFirst(by: \.badge, 70, in: context)
        #expect(clerk?.desk == 7 && clerk.map { type(of: $0) == Clerk.self } == true)
        // The badge is unique among all employees, and no manager has it.
        let other = try Manager.importJSON(Data(#"[{"badge": 1}]"#.utf8), in: context)
        #expect(other.inserted == 0 && other.skipped == 1)
        #expect(other.problems.first?.message.contains("not a Manager") == true)
        #expect(try !Manager.exists(in: context) { $0.badge == 1 })
    }
}
