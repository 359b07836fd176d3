import RecordStack
import RecordStackTesting
import TestSupport
import Testing

/// Filters that read unsaved objects through relationships, compared with plain Swift.
@Suite("Filters across relationships") struct RelationshipSplitTests {
    @Test(arguments: Seeded.lanes)
    func `random filters across relationships see unsaved objects`(lane: Int) throws {
        let start = Seeded.fromEnvironment(lane: lane)
        var random = start
        for round in 0..<Seeded.laneRounds(100, full: 4_000) {
            let town = try Town(&random)
            for _ in 0..<12 {
                try town.edit(&random)
                let filter = HouseFilter.random(&random)
                let shown = try town.differences(of: filter, &random)
                guard shown.isEmpty else {
                    Issue.record("seed \(start.seed), round \(round): \(filter): \(shown)")
                    return
                }
            }
            try town.test.stack.close()
        }
    }
}

/// A stored town with unsaved changes in a context or its child.
private struct Town {
    let test: TestStack
    let contexts: [ManagedObjectContext]

    init(_ random: inout Seeded) throws {
        var options = StoreOptions()
        // A child's edit can be based on an edit that its parent has rolled back, which causes a
        // warning.
        options.watching.handler = { _ in }
        test = try TestStack(
            entities: [House.self, City.self, Country.self, Room.self], at: .memory,
            options: options)
        let parent = test.stack.newContext()
        contexts = [parent, parent.newChild()]
        for _ in 0..<40 { try edit(parent, &random) }
        try parent.saveAndWait()
    }

    func edit(_ random: inout Seeded) throws {
        for _ in 0..<(1 + random.below(5)) {
            try edit(contexts[random.below(2)], &random)
        }
        // Rolls the child back first, because its changes are based on its parent's.
        if random.chance(10) { for context in contexts.reversed() { context.rollback() } }
        if random.chance(10) { contexts[0].refreshAllObjects() }
    }

    private func edit(_ context: ManagedObjectContext, _ random: inout Seeded) throws {
        let houses = try House.find(in: context)
        let cities = try City.find(in: context)
        let countries = try Country.find(in: context)
        switch random.below(12) {
        case 0: try Country.create(in: context).name = HouseFilter.name(&random)
        case 1:
            let city = try City.create(in: context)
            city.name = HouseFilter.name(&random)
            city.country = countries.randomElement(using: &random)
        case 2:
            let house = try House.create(in: context)
            house.number = random.below(4)
            house.city = cities.randomElement(using: &random)
        case 3, 4:
            let room = try Room.create(in: context)
            room.size = random.below(4)
            room.house = houses.randomElement(using: &random)
        case 5: cities.randomElement(using: &random)?.name = HouseFilter.name(&random)
        case 6: cities.randomElement(using: &random)?.size = random.below(4)
        case 7:
            cities.randomElement(using: &random)?.country = countries.randomElement(using: &random)
        case 8:
            countries.randomElement(using: &random)?.name =
                random.chance(20) ? nil : HouseFilter.name(&random)
        case 9: houses.randomElement(using: &random)?.city = cities.randomElement(using: &random)
        case 10: try Room.find(in: context).randomElement(using: &random)?.size = random.below(4)
        default: try delete(in: context, &random)
        }
    }

    private func delete(in context: ManagedObjectContext, _ random: inout Seeded) throws {
        let objects: [ManagedObject] =
            switch random.below(4) {
            case 0: try City.find(in: context)
            case 1: try Country.find(in: context)
            case 2: try House.find(in: context)
            default: try Room.find(in: context)
            }
        try objects.randomElement(using: &random)?.delete()
    }

    /// Compares the verbs' answers with plain Swift.
    func differences(of filter: HouseFilter, _ random: inout Seeded) throws -> String {
        let context = contexts[random.below(2)]
        let all = House.where { filter.filter($0) }
        let isSorted = random.chance(50)
        let request = isSorted ? all.sorted(by: .descending(\.number)) : all
        let (limit, offset) = (random.below(5), random.below(3))
        var window = request
        (window.limit, window.offset) = (limit, offset)
        var limited = request
        limited.limit = 1 + limit
        // Makes the requests before reading the houses, because reading loads objects.
        let found = try context.find(window)
        let first = try context.find(limited)
        let whole = try context.find(request)
        let count = try context.count(all)
        let windowCount = try context.count(window)
        let isThere = try context.exists(all)
        let values = try context.values(of: { $0.number }, for: window)
        let sum = try context.sum(of: \.number, for: all)
        let ids = try context.objectIDs(request)

        var expected = try House.find(in: context).filter { filter.isTrue(for: $0) }
        if isSorted {
            expected = expected.enumerated().sorted {
                ($1.element.number, $0.offset) < ($0.element.number, $1.offset)
            }.map(\.element)
        }
        let inWindow = Array(expected.dropFirst(offset).prefix(limit))
        var differences: [String] = []
        if found.map(\.objectID) != inWindow.map(\.objectID) {
            differences.append("find \(offset) \(limit)")
        }
        if first.map(\.objectID) != expected.prefix(1 + limit).map(\.objectID) {
            differences.append("limit \(limit)")
        }
        if whole.map(\.objectID) != expected.map(\.objectID) { differences.append("find") }
        if count != expected.count { differences.append("count \(count) of \(expected.count)") }
        if windowCount != inWindow.count { differences.append("count \(offset) \(limit)") }
        if isThere == expected.isEmpty { differences.append("exists") }
        if values != inWindow.map(\.number) { differences.append("values") }
        if sum != expected.reduce(0, { $0 + $1.number }) { differences.append("sum") }
        if ids != expected.map(\.objectID) { differences.append("IDs") }
        return differences.joined(separator: ", ")
    }
}
