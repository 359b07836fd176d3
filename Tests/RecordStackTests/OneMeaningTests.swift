import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// The same filter, sort order, limit and offset give the same in SQL and in memory, whatever part
/// of what they look at is changed and not saved.
@Suite struct OneMeaningTests {
    /// One context has everything stored, one has everything pending, one has some of both, and
    /// one is a child of that: all four must agree.
    @Test func `random requests over random rows`() async throws {
        let random = Seeded.fromEnvironment()
        var made = RandomFilters(values: RandomValues(random: random))
        let rounds = Seeded.rounds(1_000, full: 20_000)
        let worlds = 10
        for _ in 0..<worlds {
            let world = try await World(&made)
            for _ in 0..<(rounds / worlds) {
                let request = FetchRequest<Sample>(
                    filter: made.values.random.chance(90) ? made.filter() : nil,
                    sortKeys: made.sortKeys(),
                    limit: made.values.random.chance(50)
                        ? Int.random(in: 0...12, using: &made.values.random) : nil,
                    offset: made.values.random.chance(50)
                        ? Int.random(in: 0...40, using: &made.values.random) : 0)
                try world.check(request, seed: random.seed)
            }
        }
    }

    /// More than the steps of a tree that SQLite takes. The address sanitizer makes each of our own
    /// steps take ten times the room on a thread's stack.
    private static let many =
        switch ProcessInfo.processInfo.environment["RECORDSTACK_SANITIZER"] {
        case "address", "leak": 150
        default: 1_500
        }

    /// SQLite's parser takes a hundred brackets, and a tree of a thousand steps.
    @Test(arguments: [5, 100, 105, many], [false, true])
    func `a filter may have many terms`(count: Int, leansRight: Bool) async throws {
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

    /// The person's email is one of so many numbers.
    private static func any(
        _ count: Int, _ person: FilterProxy<Person>, _ leansRight: Bool
    ) -> Filter {
        let terms = (0..<count).map { person.email == "\($0)" }
        return terms.dropFirst().reduce(terms[0]) { leansRight ? $1 || $0 : $0 || $1 }
    }

    private struct World {
        let stack: TestStack
        let stored: ManagedObjectContext
        let pending: ManagedObjectContext
        let mixed: ManagedObjectContext
        let child: ManagedObjectContext

        /// The same 40 samples in four contexts of three stores.
        init(_ made: inout RandomFilters) async throws {
            stack = try TestStack(for: Sample.self, Owner.self, Sticker.self, at: .temporaryFile)
            let other = try TestStack(for: Sample.self, Owner.self, Sticker.self)
            stored = other.stack.newContext()
            pending = try TestStack(for: Sample.self, Owner.self, Sticker.self).stack.newContext()
            mixed = stack.stack.newContext()
            let seed = made.values
            for context in [stored, pending] {
                var values = seed
                let (owners, samples, marks) = try Self.populate(context, &values)
                Self.shuffle(owners, samples, marks, &values)
                made.values = values
            }
            try await stored.save()

            // The third sees the first half of the life of the objects in the store, and the
            // second half in memory; the fourth sees that through its parent.
            var values = seed
            let writer = stack.stack.newContext()
            _ = try Self.populate(writer, &values)
            try await writer.save()
            let owners = try Owner.find(in: mixed)
            let samples = try Sample.find(in: mixed)
            Self.shuffle(owners, samples, try Sticker.find(in: mixed), &values)
            child = mixed.newChild()
        }

        private static func populate(
            _ context: ManagedObjectContext, _ values: inout RandomValues
        ) throws -> ([Owner], [Sample], [Sticker]) {
            var owners: [Owner] = []
            for _ in 0..<6 {
                let owner = try Owner.create(
                    in: context, name: values.text(), rank: values.maybe(values.number()))
                owner.senior = values.maybe(owners.randomElement(using: &values.random)) ?? nil
                owners.append(owner)
            }
            let samples = try (0..<40).map { _ in
                let sample = try context.create(Sample.self)
                values.fill(sample, owners: owners)
                return sample
            }
            let marks = try (0..<5).map { _ in
                let mark = try context.create(Sticker.self)
                values.fill(mark)
                return mark
            }
            for sample in samples { values.mark(sample, with: marks) }
            return (owners, samples, marks)
        }

        private static func shuffle(
            _ owners: [Owner], _ samples: [Sample], _ marks: [Sticker], _ values: inout RandomValues
        ) {
            for owner in owners where values.random.chance(30) {
                owner.name = values.text()
                owner.rank = values.maybe(values.number())
            }
            for sample in samples where values.random.chance(30) {
                values.fill(sample, owners: owners)
                values.mark(sample, with: marks)
            }
            for mark in marks where values.random.chance(30) { values.fill(mark) }
        }

        func check(_ request: FetchRequest<Sample>, seed: UInt64) throws {
            let expected = try stored.find(request).map(Self.identity)
            let count = try stored.count(request)
            #expect(expected.count == count, "seed \(seed): \(request)")
            for (name, context) in [("pending", pending), ("mixed", mixed), ("child", child)] {
                let found = try context.find(request).map(Self.identity)
                #expect(found == expected, "\(name), seed \(seed): \(request)")
                #expect(try context.count(request) == count, "\(name), seed \(seed): \(request)")
                #expect(
                    try context.exists(request) == (count > 0), "\(name), seed \(seed): \(request)")
            }
        }

        /// What a sample is, across stores.
        private static func identity(_ sample: Sample) throws -> [StoredValue] {
            let values = try sample.snapshot.storedValues
            let names = values.keys.filter { $0 != "owner" }.sorted()
            return names.map { values[$0]! } + [sample.owner?.name.storedValue ?? .null]
        }
    }
}
