import RecordStack

/// A hierarchy of three levels and a sibling, with relationships at each level.
enum Staff {
    @Entity(.abstract, .indexed(\.name, \.grade), identity: \.badge)
    class Employee: ManagedObject {
        @Attribute(.unique) var badge: Int
        @Attribute var name: String = ""
        @Attribute var grade: Int = 1
        @Relationship(inverse: \Office.staff) var office: Office?
        @Relationship(inverse: \Employee.reports) var boss: Employee?
        @Relationship var reports: ToMany<Employee>
    }

    @Entity(.unique(\.name, \.desk)) class Clerk: Employee {
        @Attribute(.stored(as: "desk_number")) var desk: Int?
        @Attribute(.unique) var phone: String?
        @Relationship(inverse: \Project.clerks) var project: Project?
    }

    @Entity(.indexed(\.level)) final class Manager: Clerk {
        @Attribute var level: Int = 1
        @Attribute var bonus: Double?
        @Relationship var projects: ToMany<Project>
    }

    @Entity final class Driver: Employee {
        @Attribute var licence: String
        @Attribute(.stored(as: "driver_level")) var level: Int = 0
    }

    @Entity final class Office: ManagedObject {
        @Attribute(.unique) var title: String
        @Relationship var head: Employee?
        @Relationship var staff: ToMany<Employee>
    }

    @Entity final class Project: ManagedObject {
        @Attribute(.unique) var title: String
        @Relationship(inverse: \Manager.projects) var manager: Manager?
        @Relationship var clerks: ToMany<Clerk>
    }

    /// The entities to pass to a stack.
    static let entities: [ManagedObject.Type] = [Clerk.self, Manager.self, Driver.self]
}

/// Tests that call the entities of the staff by their short names.
protocol StaffSuite {}

extension StaffSuite {
    typealias Employee = Staff.Employee
    typealias Clerk = Staff.Clerk
    typealias Manager = Staff.Manager
    typealias Driver = Staff.Driver
    typealias Office = Staff.Office
    typealias Project = Staff.Project
}

extension ManagedObjectContext {
    /// Creates an employee of each kind: clerk 1, manager 2, driver 3.
    func makeStaff() throws -> (Staff.Clerk, Staff.Manager, Staff.Driver) {
        let clerk = try Staff.Clerk.create(in: self, desk: 1)
        let manager = try Staff.Manager.create(in: self, level: 5)
        let driver = try Staff.Driver.create(in: self, licence: "B")
        (clerk.badge, clerk.name, clerk.grade) = (1, "c", 3)
        (manager.badge, manager.name, manager.grade) = (2, "m", 2)
        (driver.badge, driver.name, driver.grade) = (3, "d", 1)
        return (clerk, manager, driver)
    }
}
