import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Random work with a hierarchy of three levels in two contexts and a child, compared with
/// dictionaries after every step.
@Suite("Random work in an entity hierarchy") struct RandomHierarchyTests {
    @Test func `random edits of subentities match a simple reference implementation`() {
        let start = Seeded.fromEnvironment()
        var seeds = start
        var failures = 0
        var coverage: [String: Int] = [:]
        let rounds = Seeded.rounds(80, full: 3_000)
        for _ in 0..<rounds where failures < 5 {
            let seed = seeds.next()
            var log: [String] = []
            do {
                var crew = try StaffCrew(seed: seed)
                defer {
                    log = crew.log
                    coverage.merge(crew.coverage, uniquingKeysWith: +)
                }
                for _ in 0..<40 { try crew.step() }
            } catch {
                failures += 1
                let end = log.suffix(25).joined(separator: "\n")
                Issue.record("seed \(start.seed), sequence \(seed): \(error)\n\(end)")
            }
        }
        print("seed \(start.seed): \(coverage.sorted { $0.key < $1.key })")
        guard rounds >= 50 else { return }
        let wanted = StaffCrew.works + ["all found", "own found", "page", "one looked up"]
        for work in wanted { #expect(coverage[work, default: 0] > 5, "\(work)") }
    }
}

/// One random sequence: the contexts, and what they must show.
struct StaffCrew {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static let works = [
        "create", "change", "swap", "boss", "delete", "delete own", "save", "push", "rollback",
        "refresh",
    ]

    typealias Place = PlainStaff.Place
    typealias Field = PlainStaff.Field
    typealias Kind = PlainStaff.Kind

    let contexts: [ManagedObjectContext]
    var random: Seeded
    private(set) var model = PlainStaff()
    private var number = 0
    private(set) var log: [String] = []
    private(set) var coverage: [String: Int] = [:]

    init(seed: UInt64) throws {
        random = Seeded(seed: seed)
        let stack = try TestStack(entities: Staff.entities).stack
        let main = stack.newContext(name: "main")
        contexts = [main, main.newChild(name: "child"), stack.newContext(name: "other")]
    }

    mutating func step() throws {
        let place = pick(Place.allCases)!
        switch Int.random(in: 0..<22, using: &random) {
        case 0, 1: try save(place)
        case 2: rollBack(place)
        case 3: try push()
        case 4: refresh(place)
        case 5..<10: try create(place)
        case 10..<15: try change(place)
        case 15: try swap(place)
        case 16..<18: try setBoss(place)
        case 18, 19: try delete(place)
        default: try deleteOwn(place)
        }
        try check(pick(Place.allCases)!)
    }

    mutating func pick<Value>(_ values: [Value]) -> Value? { values.randomElement(using: &random) }

    mutating func note(_ work: String, _ details: String = "") {
        coverage[work, default: 0] += 1
        if !details.isEmpty { log.append("\(work) \(details)") }
    }

    func context(_ place: Place) -> ManagedObjectContext { contexts[place.rawValue] }

    /// Returns the key of an object that a context shows and may change.
    private mutating func pickKey(_ place: Place) -> Int? {
        pick(model.view(of: place).keys.filter { model.canChange($0, in: place) }.sorted())
    }

    private func employee(_ key: Int, _ place: Place) throws -> Staff.Employee {
        let found = try Staff.Employee.find(in: context(place)).first {
            Int($0.objectID.key) == key
        }
        guard let found else { throw Failure(description: "\(key) is missing in \(place)") }
        return found
    }
}

// MARK: Steps

extension StaffCrew {
    private mutating func create(_ place: Place) throws {
        let kind = pick(Kind.allCases)!
        let context = context(place)
        let made: Staff.Employee =
            switch kind {
            case .clerk: try Staff.Clerk.create(in: context)
            case .manager: try Staff.Manager.create(in: context)
            case .driver: try Staff.Driver.create(in: context)
            }
        number += 1
        var row = PlainStaff.Row(kind: kind, values: [.badge: number, .name: 0, .grade: 1])
        made.badge = number
        made.name = "0"
        if kind == .manager { row.values[.level] = 1 }
        if kind == .driver {
            row.values[.licence] = number % 3
            (made as? Staff.Driver)?.licence = "\(number % 3)"
        }
        model[place].inserted[Int(made.objectID.key)] = row
        note("create", "\(kind) \(made.objectID.key) in \(place)")
    }

    private mutating func change(_ place: Place) throws {
        guard let key = pickKey(place), let row = model.view(of: place)[key] else { return }
        let field = pick(row.kind.fields.filter { $0 != .badge && $0 != .boss })!
        var value: Int? = Int.random(in: 0..<4, using: &random)
        if field == .desk {
            // The desk is unique together with the name.
            number += 1
            value = random.chance(30) ? nil : number
        }
        try employee(key, place).set(field, value)
        model[place].set([field: value], of: key)
        note("change", "\(field) of \(key) to \(value as Any) in \(place)")
    }

    /// Exchanges unique values between objects of any entities.
    private mutating func swap(_ place: Place) throws {
        guard let a = pickKey(place), let b = pickKey(place), a != b else { return }
        let first = try employee(a, place)
        let second = try employee(b, place)
        (first.badge, second.badge) = (second.badge, first.badge)
        model[place].set([.badge: first.badge], of: a)
        model[place].set([.badge: second.badge], of: b)
        note("swap", "\(a) \(b) in \(place)")
    }

    private mutating func setBoss(_ place: Place) throws {
        guard let key = pickKey(place), let boss = pick(model.view(of: place).keys.sorted()),
            model.canRefer(to: boss, in: place)
        else { return }
        let isNone = random.chance(20)
        let object = try employee(key, place)
        if random.chance(50) || isNone {
            object.boss = isNone ? nil : try employee(boss, place)
        } else {
            try employee(boss, place).reports.insert(object)
        }
        model[place].set([.boss: isNone ? nil : boss], of: key)
        note("boss", "of \(key) is \(isNone ? 0 : boss) in \(place)")
    }

    private mutating func delete(_ place: Place) throws {
        guard let key = pickKey(place), model.canDelete([key], in: place) else { return }
        try employee(key, place).delete()
        model.delete([key], in: place)
        note("delete", "\(key) in \(place)")
    }

    /// Deletes clerks by a request that leaves the managers alone.
    private mutating func deleteOwn(_ place: Place) throws {
        let grade = Int.random(in: 0..<4, using: &random)
        let found = model.view(of: place).filter {
            $0.value.kind == .clerk && $0.value.values[.grade] == grade
        }
        let keys = Set(found.keys)
        guard !keys.isEmpty, keys.count < 4, model.canDelete(keys, in: place) else { return }
        let request = Staff.Clerk.where { $0.grade == grade }.excludingSubentities()
        let count = try context(place).delete(request)
        try require(count == keys.count, "deleted \(count) instead of \(keys)", place)
        model.delete(keys, in: place)
        note("delete own", "\(keys) in \(place)")
    }

    private mutating func save(_ place: Place) throws {
        let hasChanges = place.chain.contains { !model[$0].isEmpty }
        log.append("save \(place)")
        _ = try waitedSave(context(place))
        model.save(place)
        for level in place.chain {
            try require(!context(level).hasChanges, "changes are left after saving", level)
        }
        if hasChanges { note("save") }
    }

    private mutating func push() throws {
        if !model[.child].isEmpty { note("push", "child") }
        _ = try context(.child).push()
        model.push()
        try require(!context(.child).hasChanges, "changes are left after pushing", .child)
    }

    private mutating func rollBack(_ place: Place) {
        // After the rollback, the child's edits would be conflicts.
        if place == .main { rollBack(.child) }
        if !model[place].isEmpty { note("rollback", "\(place)") }
        context(place).rollback()
        model.rollBack(place)
    }

    private mutating func refresh(_ place: Place) {
        note("refresh", "\(place)")
        context(place).refreshAllObjects()
    }
}

extension Staff.Employee {
    fileprivate func set(_ field: PlainStaff.Field, _ value: Int?) {
        let number = value ?? 0
        switch field {
        case .badge: badge = number
        case .name: name = "\(number)"
        case .grade: grade = number
        case .desk: (self as? Staff.Clerk)?.desk = value
        case .level: (self as? Staff.Manager)?.level = number
        case .licence: (self as? Staff.Driver)?.licence = "\(number)"
        case .boss: break
        }
    }

    /// Returns the object's value of a field, or nil if its kind has no such field.
    fileprivate func value(_ field: PlainStaff.Field) -> Int? {
        switch field {
        case .badge: badge
        case .name: Int(name)
        case .grade: grade
        case .desk: (self as? Staff.Clerk)?.desk
        case .level: (self as? Staff.Manager)?.level
        case .licence: (self as? Staff.Driver).flatMap { Int($0.licence) }
        case .boss: boss.map { Int($0.objectID.key) }
        }
    }
}

// MARK: Comparisons

extension StaffCrew {
    private mutating func check(_ place: Place) throws {
        let all: [Kind] = Kind.allCases
        try check(Staff.Employee.self, all, own: nil, place, level: nil)
        try check(Staff.Clerk.self, [.clerk, .manager], own: .clerk, place, level: nil)
        try check(Staff.Manager.self, [.manager], own: .manager, place, level: \.level)
        try check(Staff.Driver.self, [.driver], own: .driver, place, level: nil)
        try checkValues(place)
    }

    /// Checks an entity with or without its subentities, by a filter and a sort order of inherited
    /// properties.
    private mutating func check<Entity: Staff.Employee>(
        _ type: Entity.Type, _ kinds: [Kind], own: Kind?, _ place: Place,
        level: KeyPath<Entity, Int>?
    ) throws {
        let isOwn = random.chance(40)
        let wantedKinds = isOwn ? (own.map { [$0] } ?? []) : kinds
        let grade = Int.random(in: 0..<4, using: &random)
        var rows = model.view(of: place).filter { wantedKinds.contains($0.value.kind) }
        var request = Entity.all
        if random.chance(60) {
            request = Entity.where { $0.grade >= grade }
            rows = rows.filter { $0.value.values[.grade]! >= grade }
        }
        if random.chance(30) {
            request = request.where { $0.name != "1" }
            rows = rows.filter { $0.value.values[.name] != 1 }
        }
        if let level, random.chance(50) {
            request = request.where { $0[dynamicMember: level] > 1 }
            rows = rows.filter { $0.value.values[.level]! > 1 }
        }
        let (sorted, keys) = sort(request, rows)
        request = isOwn ? sorted.excludingSubentities() : sorted
        try compare(request, keys, place)
        note(isOwn ? "own found" : "all found")
    }

    /// Returns a request sorted by inherited keys, and the keys of the rows in that order.
    private mutating func sort<Entity: Staff.Employee>(
        _ request: FetchRequest<Entity>, _ rows: [Int: PlainStaff.Row]
    ) -> (FetchRequest<Entity>, [Int]) {
        let fields: [(Field, Bool)] = [(.name, random.chance(50)), (.grade, random.chance(50))]
            .shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random)).map { $0 }
        let sortKeys = fields.map { field, isAscending -> SortKey<Entity> in
            switch (field, isAscending) {
            case (.name, true): .ascending(\.name)
            case (.name, false): .descending(\.name)
            case (_, true): .ascending(\.grade)
            case (_, false): .descending(\.grade)
            }
        }
        let keys = rows.keys.sorted { a, b in
            for (field, isAscending) in fields {
                let (mine, others) = (rows[a]!.values[field]!, rows[b]!.values[field]!)
                if mine != others { return (mine < others) == isAscending }
            }
            return a < b
        }
        return (request.sorted(by: sortKeys), keys)
    }

    private mutating func compare<Entity: Staff.Employee>(
        _ request: FetchRequest<Entity>, _ keys: [Int], _ place: Place
    ) throws {
        let context = context(place)
        func key(_ object: Entity) -> Int { Int(object.objectID.key) }
        let found = try context.find(request).map(key)
        try require(found == keys, "\(Entity.self) \(found) instead of \(keys)", place)
        try require(try context.count(request) == keys.count, "count", place)
        try require(try context.exists(request) == !keys.isEmpty, "exists", place)
        try require(try context.findFirst(request).map(key) == keys.first, "first", place)
        let size = Int.random(in: 1...4, using: &random)
        let number = Int.random(in: 1...3, using: &random)
        let page = try context.page(number, size: size, of: request)
        let wanted = Array(keys.dropFirst((number - 1) * size).prefix(size))
        try require(page.items.map(key) == wanted && page.total == keys.count, "page", place)
        if !wanted.isEmpty { note("page") }
    }

    /// Checks every value and the class of every object, and the objects that report to it.
    private mutating func checkValues(_ place: Place) throws {
        let rows = model.view(of: place)
        let employees = try Staff.Employee.find(in: context(place))
        let snapshots = try Staff.Employee.snapshots(in: context(place))
        for (employee, snapshot) in zip(employees, snapshots) {
            let key = Int(employee.objectID.key)
            let row = rows[key]!
            let isKind =
                switch row.kind {
                case .clerk: type(of: employee) == Staff.Clerk.self
                case .manager: type(of: employee) == Staff.Manager.self
                case .driver: type(of: employee) == Staff.Driver.self
                }
            try require(isKind, "\(key) is \(type(of: employee))", place)
            for field in row.kind.fields {
                let value = employee.value(field)
                try require(
                    value == row.values[field],
                    "\(field) of \(key) is \(value as Any), not \(row.values[field] as Any)", place)
            }
            let reports = Set(employee.reports.map { Int($0.objectID.key) })
            try require(
                reports == model.reports(of: key, in: place), "reports of \(key) \(reports)", place)
            try require(
                snapshot.storedValues == (try employee.snapshot).storedValues, "snapshot", place)
            try require(
                (snapshot.as(Staff.Clerk.self) != nil) == (row.kind != .driver), "cast", place)
        }
        guard let employee = pick(employees) else { return }
        let (badge, context) = (employee.badge, context(place))
        let clerk = try Staff.Clerk.findFirst(by: \.badge, badge, in: context)
        try require(clerk === employee as? Staff.Clerk, "looked up by an inherited value", place)
        note("one looked up")
    }

    private func require(_ condition: Bool, _ what: String, _ place: Place) throws {
        if !condition { throw Failure(description: "\(what) in \(place)") }
    }
}
