import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Filters, sort orders, limits and offsets. They must find the same in SQL and in memory, whatever
/// part of the data is changed and not saved.
@Suite("One meaning in SQL and in memory") struct OneMeaningTests {
    /// In one context everything is stored, in one everything is pending, in one there is some of
    /// both, and one is a child of that context. All four must agree.
    @Test(arguments: Seeded.lanes)
    func `random requests find the same in SQL and in memory`(lane: Int) async throws {
        let random = Seeded.fromEnvironment(lane: lane)
        var made = RandomFilters(values: RandomValues(random: random))
        let rounds = Seeded.laneRounds(1_000, full: 20_000)
        let worlds = max(5, rounds / 200)
        var kinds = FilterKinds()
        for _ in 0..<worlds {
            let world = try await SampleWorld(&made.values)
            for _ in 0..<(rounds / worlds) {
                let request = FetchRequest<Sample>(
                    filter: made.values.random.chance(90) ? made.filter() : nil,
                    sortKeys: made.sortKeys(),
                    limit: made.values.random.chance(50)
                        ? Int.random(in: 0...12, using: &made.values.random) : nil,
                    offset: made.values.random.chance(50)
                        ? Int.random(in: 0...40, using: &made.values.random) : 0)
                try world.check(request, seed: random.seed)
                try kinds.count(request.filter)
            }
        }
        kinds.check(rounds, of: "filters", seed: random.seed)
    }

    @Test(arguments: Seeded.lanes)
    func `random format strings find the same in SQL and in memory`(lane: Int) async throws {
        let random = Seeded.fromEnvironment(lane: lane)
        var made = RandomFilters(values: RandomValues(random: random))
        let rounds = Seeded.laneRounds(1_000, full: 20_000)
        let worlds = max(5, rounds / 200)
        var kinds = FilterKinds()
        for _ in 0..<worlds {
            let world = try await SampleWorld(&made.values)
            var formats = RandomFormats(values: made.values)
            for _ in 0..<(rounds / worlds) {
                let (format, arguments) = formats.format()
                do {
                    let filter = try Filter(
                        format: format, arguments: arguments, for: Sample.self)
                    try FormatRoundTripTests.check(filter, Sample.self, "seed \(random.seed)")
                    try world.check(FetchRequest<Sample>(filter: filter), seed: random.seed)
                    try kinds.count(filter)
                } catch {
                    Issue.record(error, "seed \(random.seed): \(format)")
                }
            }
            made.values = formats.values
        }
        kinds.check(rounds, of: "formats", seed: random.seed)
    }

    /// More terms than SQLite accepts levels in a tree. The address sanitizer makes each step of
    /// the library take ten times the space on a thread's stack.
    private static let many =
        switch ProcessInfo.processInfo.environment["RECORDSTACK_SANITIZER"] {
        case "address", "leak": 150
        default: 1_500
        }

    /// SQLite's parser accepts a hundred brackets, and a tree of a thousand levels.
    @Test(arguments: [5, 100, 105, many], [false, true])
    func `a filter with many terms finds the same in SQL and in memory`(
        count: Int, leansRight: Bool
    ) async throws {
        let test = try TestStack(for: Person.self) { context in
            for number in 0..<10 {
                try Person.create(in: context, email: "\(number * count / 5)", age: number)
            }
        }
        let pending = try TestStack(for: Person.self).stack.newContext()
        for number in 0..<10 {
            try Person.create(in: pending, email: "\(number * count / 5)", age: number)
        }
        for context in [test.stack.newContext(), pending] {
            let found = try Person.find(in: context) { Self.any(count, $0, leansRight) }
            #expect(found.map(\.age) == [0, 1, 2, 3, 4])
            let others = try Person.find(in: context) { !Self.any(count, $0, leansRight) }
            #expect(others.map(\.age) == [5, 6, 7, 8, 9])
        }
    }

    /// Returns a filter for people whose email is one of `count` numbers.
    private static func any(
        _ count: Int, _ person: FilterProxy<Person>, _ leansRight: Bool
    ) -> Filter {
        let terms = (0..<count).map { person.email == "\($0)" }
        return terms.dropFirst().reduce(terms[0]) { leansRight ? $1 || $0 : $0 || $1 }
    }
}
