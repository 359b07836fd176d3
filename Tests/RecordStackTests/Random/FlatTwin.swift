import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// The same steps on samples twice: pending in three contexts, each the child of the context
/// before, and saved at once in a separate store. A request in the last of the three contexts must
/// give the same answer as the other store.
///
/// No context changes an object that a context below it has changed, because the two would differ
/// then.
final class FlatTwin {
    private let nested: TestStack
    private let levels: [ManagedObjectContext]
    private let flatStack: TestStack
    private let flat: ManagedObjectContext
    var made: RandomFilters
    private var nextSerial = 0
    /// The samples that exist, each with the lowest context that has changed it, or −1.
    private var touched: [Int: Int] = [:]
    private var touchedOwners: [Int: Int] = [:]
    private(set) var coverage: [String: Int] = [:]
    /// The steps so far, for messages.
    private(set) var story: [String] = []

    init(_ random: Seeded) throws {
        made = RandomFilters(values: RandomValues(random: random))
        nested = try TestStack(for: Sample.self, Owner.self, Sticker.self)
        flatStack = try TestStack(for: Sample.self, Owner.self, Sticker.self)
        let top = nested.stack.newContext()
        let middle = top.newChild()
        levels = [top, middle, middle.newChild()]
        flat = flatStack.stack.newContext()
        for context in [top, flat] {
            for number in 0..<4 { try Owner.create(in: context, name: "o\(number)", rank: number) }
            for number in 0..<3 {
                let mark = try Sticker.create(in: context, name: "m\(number)")
                mark.weight = number
            }
            try Self.save(context)
        }
        for number in 0..<4 { touchedOwners[number] = -1 }
    }

    private static func save(_ context: ManagedObjectContext) throws { try context.saveAndWait() }

    private var values: RandomValues {
        get { made.values }
        set { made.values = newValue }
    }

    private func note(_ kind: String, _ what: Int...) {
        coverage[kind, default: 0] += 1
        story.append(([kind] + what.map(String.init)).joined(separator: " "))
    }
}

// MARK: Changes

extension FlatTwin {
    static let changes = ["create", "edit", "delete", "owner", "push", "save", "save above"]

    func change() throws {
        let level = values.random.below(3)
        switch values.random.below(20) {
        case 0..<7: try create(level)
        case 7..<12: try edit(level)
        case 12..<14: try delete(level)
        case 14..<17: try editOwner(level)
        case 17: try push(max(level, 1))
        case 18: try saveAbove()
        default: try save()
        }
    }

    private func both(
        _ level: Int, _ body: (ManagedObjectContext, inout RandomValues) throws -> Void
    ) throws {
        let before = values
        for context in [levels[level], flat] {
            var own = before
            try body(context, &own)
            values = own
        }
    }

    private static func fill(
        _ sample: Sample, _ context: ManagedObjectContext, _ values: inout RandomValues
    ) throws {
        values.fill(sample, owners: try Owner.find(sortedBy: .ascending(\.name), in: context))
        values.mark(sample, with: try Sticker.find(sortedBy: .ascending(\.name), in: context))
    }

    private func create(_ level: Int) throws {
        let serial = nextSerial
        nextSerial += 1
        touched[serial] = level
        try both(level) { context, values in
            let sample = try context.create(Sample.self)
            sample.serial = serial
            try Self.fill(sample, context, &values)
        }
        note("create", serial, level)
    }

    /// Returns a sample that may be changed in a context.
    private func sample(_ level: Int) -> Int? {
        let free = touched.filter { $0.value <= level }.keys.sorted()
        return free.randomElement(using: &values.random)
    }

    private func edit(_ level: Int) throws {
        guard let serial = sample(level) else { return }
        touched[serial] = level
        try both(level) { context, values in
            let sample = try #require(try Sample.findFirst(by: \.serial, serial, in: context))
            try Self.fill(sample, context, &values)
        }
        note("edit", serial, level)
    }

    private func delete(_ level: Int) throws {
        guard let serial = sample(level) else { return }
        touched[serial] = nil
        try both(level) { context, _ in
            try Sample.delete(in: context) { $0.serial == serial }
        }
        note("delete", serial, level)
    }

    private func editOwner(_ level: Int) throws {
        let free = touchedOwners.filter { $0.value <= level }.keys.sorted()
        guard let number = free.randomElement(using: &values.random) else { return }
        touchedOwners[number] = level
        try both(level) { context, values in
            let name = "o\(number)"
            let owner = try #require(try Owner.findFirst(by: \.name, name, in: context))
            owner.rank = values.maybe(values.number())
        }
        note("owner", number, level)
    }

    private func push(_ level: Int) throws {
        try levels[level].push()
        touched = touched.mapValues { $0 == level ? level - 1 : $0 }
        touchedOwners = touchedOwners.mapValues { $0 == level ? level - 1 : $0 }
        note("push", level)
    }

    private func save() throws {
        try Self.save(levels[2])
        touched = touched.mapValues { _ in -1 }
        touchedOwners = touchedOwners.mapValues { _ in -1 }
        note("save")
    }

    private func saveAbove() throws {
        try Self.save(levels[0])
        touched = touched.mapValues { $0 == 0 ? -1 : $0 }
        touchedOwners = touchedOwners.mapValues { $0 == 0 ? -1 : $0 }
        note("save above")
    }
}

// MARK: Questions

extension FlatTwin {
    static let questions = [
        "find", "count", "exists", "page", "walk", "sum", "average", "extremes", "values", "groups",
    ]

    func ask(_ comment: Comment) throws {
        try Self.save(flat)
        var request = FetchRequest<Sample>(
            filter: values.random.chance(60) ? made.filter() : nil,
            sortKeys: made.sortKeys() + [.ascending(\.serial)])
        let kind = Self.questions[values.random.below(Self.questions.count)]
        let size = 1 + values.random.below(6)
        let number = values.random.below(5)
        if kind != "walk" && values.random.chance(50) {
            request.limit = values.random.below(10)
            request.offset = values.random.below(8)
            note("window")
        }
        let answers = try [flat, levels[2]].map { context in
            do {
                return try Self.answer(kind, request, size: size, number: number, in: context)
            } catch let error as RecordStackError where error.code == .misuse {
                // The request has a sum that is too large for its type.
                note("refused")
                return error.message
            }
        }
        #expect(
            answers[0] == answers[1],
            "\(kind), \(comment): \(request)\n\(story.joined(separator: ", "))")
        note(kind)
        if answers[0].count > 3 { note("answered") }
        if levels[2].hasChanges && levels[1].hasChanges { note("pending on two levels") }
    }

    private static func answer(
        _ kind: String, _ request: FetchRequest<Sample>, size: Int, number: Int,
        in context: ManagedObjectContext
    ) throws -> String {
        switch kind {
        case "find": return try "\(context.find(request).map(SampleWorld.identity))"
        case "count": return try "\(context.count(request))"
        case "exists": return try "\(context.exists(request))"
        case "page":
            let page = try context.page(number, size: size, of: request)
            return
                "\(page.items.map(\.serial)) of \(page.total), \(page.pageCount), \(page.hasNext)"
        case "walk": return try walk(request, size: size, in: context)
        case "sum":
            return try "\(context.sum(of: \.decimal, for: request)) "
                + "\(context.sum(of: { $0.owner.rank }, for: request))"
        case "average":
            return try
                "\(String(describing: context.average(of: { $0.marks.count }, for: request)))"
        case "extremes":
            let least = try context.min(of: \.maybeText, for: request)
            let greatest = try context.max(of: \.real, for: request)
            return "\(String(describing: least)) \(String(describing: greatest))"
        case "values":
            let texts = try context.values(of: \.maybeText, for: request)
            let names = try context.count(distinct: \.owner.name, for: request)
            return "\(texts) \(names)"
        default:
            return try "\(groups(request, in: context))"
        }
    }

    private static func walk(
        _ request: FetchRequest<Sample>, size: Int, in context: ManagedObjectContext
    ) throws -> String {
        var serials: [Int] = []
        var token: PageToken?
        repeat {
            let page = try context.page(after: token, size: size, of: request)
            serials += page.items.map(\.serial)
            token = page.next
        } while token != nil
        return "\(serials)"
    }

    private static func groups(
        _ request: FetchRequest<Sample>, in context: ManagedObjectContext
    ) throws -> [String] {
        try context.groups(by: { ($0.flag, $0.owner.name.optional) }, of: request) {
            group, flag, owner in
            (flag, owner, group.count, group.sum { $0.decimal }, group.max { $0.maybeReal })
        }.map { "\($0)" }
    }
}
