import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Fetches of an entity with and without its subentities.
@MainActor
@Suite("Fetches with subentities") struct SubentityFetchTests: StaffSuite {
    private let test: TestStack

    init() throws {
        test = try TestStack(entities: Staff.entities)
    }

    /// Creates twelve employees: clerks 1, 4, 7, 10, managers 2, 5, …, drivers 3, 6, ….
    private func fill(_ context: ManagedObjectContext) throws {
        for number in stride(from: 0, to: 12, by: 3) {
            let (clerk, manager, driver) = try context.makeStaff()
            for employee in [clerk, manager, driver] as [Employee] {
                employee.badge += number
                employee.grade = number / 3
            }
            (clerk.desk, manager.desk, manager.level) = (number, number + 1, number)
        }
    }

    /// Runs a check over pending objects, in a child and its child, and over saved objects.
    private func everywhere(_ check: (ManagedObjectContext) throws -> Void) throws {
        let context = test.stack.newContext(name: "pending")
        try fill(context)
        try check(context)
        let child = context.newChild()
        try check(child)
        try check(child.newChild())
        _ = try waitedSave(child)
        try check(child)
        try check(test.stack.newContext(name: "saved"))
    }

    private func expect<Entity: Employee>(
        _ request: FetchRequest<Entity>, _ badges: [Int], in context: ManagedObjectContext,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let comment = Comment(rawValue: "\(context)")
        let found = try context.find(request)
        #expect(found.map(\.badge) == badges, comment, sourceLocation: sourceLocation)
        let first = try context.findFirst(request)
        #expect(first === found.first, comment, sourceLocation: sourceLocation)
        #expect(try context.count(request) == badges.count, comment, sourceLocation: sourceLocation)
        #expect(
            try context.exists(request) == !badges.isEmpty, comment, sourceLocation: sourceLocation)
        let page = try context.page(2, size: 3, of: request)
        #expect(page.total == badges.count, comment, sourceLocation: sourceLocation)
        #expect(
            page.items.map(\.badge) == Array(badges.dropFirst(3).prefix(3)), comment,
            sourceLocation: sourceLocation)
    }

    @Test func `a fetch of an entity includes the objects of its subentities`() throws {
        try everywhere { context in
            try expect(Employee.all, Array(1...12), in: context)
            try expect(Clerk.all, [1, 2, 4, 5, 7, 8, 10, 11], in: context)
            try expect(Manager.all, [2, 5, 8, 11], in: context)
            try expect(Driver.all, [3, 6, 9, 12], in: context)
            let classes = try Employee.find(limit: 3, in: context).map { type(of: $0) }
            #expect(classes[0] == Clerk.self && classes[1] == Manager.self)
            #expect(classes[2] == Driver.self)
        }
    }

    @Test func `excludingSubentities finds only the entity's own objects`() throws {
        try everywhere { context in
            try expect(Employee.all.excludingSubentities(), [], in: context)
            try expect(Clerk.all.excludingSubentities(), [1, 4, 7, 10], in: context)
            try expect(Manager.all.excludingSubentities(), [2, 5, 8, 11], in: context)
            let filtered = Clerk.where { $0.grade >= 1 && $0.desk != 6 }
            try expect(filtered.excludingSubentities(), [4, 10], in: context)
            try expect(filtered, [4, 5, 8, 10, 11], in: context)
            let sorted = Clerk.all.sorted(by: .descending(\.badge)).excludingSubentities()
            try expect(sorted, [10, 7, 4, 1], in: context)
            try expect(sorted.offset(by: 1).limited(to: 2), [7, 4], in: context)
        }
    }

    @Test func `includesSubentities tells whether a request includes subentities`() {
        #expect(Clerk.all.includesSubentities)
        #expect(!Clerk.all.excludingSubentities().includesSubentities)
        #expect(Clerk.all != Clerk.all.excludingSubentities())
        #expect(
            FetchRequest<Clerk>(includesSubentities: false) == Clerk.all.excludingSubentities())
    }

    @Test func `excludingSubentities leaves out edited objects of subentities`() throws {
        let context = test.stack.newContext()
        try fill(context)
        _ = try waitedSave(context)
        try Manager.findFirst(by: \.badge, 5, in: context)?.grade = 9
        try Clerk.findFirst(by: \.badge, 4, in: context)?.grade = 9
        try Clerk.findFirst(by: \.badge, 7, in: context)?.delete()
        try Manager.findFirst(by: \.badge, 8, in: context)?.delete()
        let own = Clerk.where { $0.grade == 9 }.excludingSubentities()
        for context in [context, context.newChild(), context.newChild().newChild()] {
            try expect(own, [4], in: context)
            try expect(Clerk.where { $0.grade == 9 }, [4, 5], in: context)
            try expect(Clerk.all.excludingSubentities(), [1, 4, 10], in: context)
        }
    }

    @Test func `a filter through a relationship can exclude subentities`() throws {
        let context = test.stack.newContext()
        try fill(context)
        let office = try Office.create(in: context, title: "A")
        for employee in try Employee.find(in: context) where employee.grade > 0 {
            employee.office = office
        }
        _ = try waitedSave(context)
        let request = Clerk.where { $0.office.title == "A" }
        try expect(request.excludingSubentities(), [4, 7, 10], in: context)
        office.title = "B"
        try expect(request.excludingSubentities(), [], in: context)
        try expect(
            Clerk.where { $0.office.title == "B" }.excludingSubentities(), [4, 7, 10], in: context)
        try expect(Clerk.where { $0.office.title != "B" }, [1, 2], in: context)
    }

    @Test func `a deletion that excludes subentities keeps their objects`() throws {
        let context = test.stack.newContext()
        try fill(context)
        _ = try waitedSave(context)
        #expect(try context.delete(Clerk.all.excludingSubentities()) == 4)
        #expect(try Clerk.find(in: context).allSatisfy { $0 is Manager })
        _ = try waitedSave(context)
        #expect(try Employee.count(in: test.stack.newContext()) == 8)
        #expect(try Clerk.deleteAll(in: context) == 4)
        _ = try waitedSave(context)
        #expect(try Employee.find(in: test.stack.newContext()).allSatisfy { $0 is Driver })
    }

    @Test func `excludingSubentities leaves out subentity objects that are loaded`() throws {
        let context = test.stack.newContext()
        for number in 0..<400 {
            let clerk =
                try number % 2 == 0 ? Clerk.create(in: context) : Manager.create(in: context)
            clerk.badge = number
        }
        _ = try waitedSave(context)
        let own = Clerk.all.excludingSubentities()
        for _ in 0..<3 {
            #expect(try context.find(own).allSatisfy { type(of: $0) == Clerk.self })
            #expect(try context.find(own).count == 200)
            #expect(try context.find(Clerk.all).count == 400)
            #expect(try context.find(Clerk.all).count == 400)
        }
        let other = test.stack.newContext()
        let held = try other.find(Clerk.all)
        #expect(try other.find(own).count == 200 && held.count == 400)
    }

    @Test func `requests with and without subentities run one cached statement each`() throws {
        let context = test.stack.newContext()
        try fill(context)
        _ = try waitedSave(context)
        try test.expectStatements(3) {
            let requests = [Clerk.all, Clerk.all.excludingSubentities(), Clerk.all]
            let counts = try requests.map { try context.count($0) }
            #expect(counts == [8, 4, 8])
        }
        let texts = test.recorder.statements.suffix(3)
        #expect(texts.first?.contains("IN (?,?)") == true && texts.last == texts.first)
        #expect(texts.dropFirst().first?.contains("IN (?)") == true)
    }
}
