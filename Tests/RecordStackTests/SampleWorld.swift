import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// The same samples, owners and stickers in several contexts. One context has everything stored,
/// and one has everything pending. One has the first half of the changes in the store, and the rest
/// pending in up to three contexts, each the child of the previous context.
struct SampleWorld {
    let stack: TestStack
    let storedStack: TestStack
    let stored: ManagedObjectContext
    let pending: ManagedObjectContext
    /// The last of the contexts that each have a part of the changes, and a child of it without
    /// changes.
    let mixed: ManagedObjectContext
    let child: ManagedObjectContext

    init(_ random: inout RandomValues) async throws {
        stack = try TestStack(for: Sample.self, Owner.self, Sticker.self, at: .temporaryFile)
        storedStack = try TestStack(for: Sample.self, Owner.self, Sticker.self)
        stored = storedStack.stack.newContext()
        pending = try TestStack(for: Sample.self, Owner.self, Sticker.self).stack.newContext()
        let seed = random
        for context in [stored, pending] {
            var values = seed
            try Self.populate(context, &values)
            try Self.live(in: [context, context, context], &values)
            random = values
        }
        try await stored.save()

        var values = seed
        let writer = stack.stack.newContext()
        try Self.populate(writer, &values)
        try await writer.save()
        var levels = [stack.stack.newContext()]
        for _ in 0..<random.random.below(3) { levels.append(levels[levels.count - 1].newChild()) }
        mixed = levels[levels.count - 1]
        while levels.count < 3 { levels.append(mixed) }
        try Self.live(in: levels, &values)
        child = mixed.newChild()
        try checkSamples(seed.random.seed)
    }

    /// Checks that all contexts have the same samples, so a sample's number identifies it.
    private func checkSamples(_ seed: UInt64) throws {
        func all(_ context: ManagedObjectContext) throws -> [[StoredValue]] {
            try Sample.find(sortedBy: .ascending(\.serial), in: context).map(Self.identity)
        }
        let expected = try all(stored)
        try #require(Set(stored.find(FetchRequest<Sample>()).map(\.serial)).count == expected.count)
        for (name, context) in unsaved {
            try #require(try all(context) == expected, "\(name), seed \(seed)")
        }
    }

    /// Makes the first half of the changes.
    private static func populate(
        _ context: ManagedObjectContext, _ values: inout RandomValues
    ) throws {
        var owners: [Owner] = []
        for _ in 0..<6 {
            let owner = try Owner.create(
                in: context, name: values.text(), rank: values.maybe(values.number()))
            owner.senior = values.maybe(owners.randomElement(using: &values.random)) ?? nil
            owners.append(owner)
        }
        let samples = try (0..<35).map { serial in
            let sample = try context.create(Sample.self)
            sample.serial = serial
            values.fill(sample, owners: owners)
            return sample
        }
        let marks = try (0..<5).map { _ in
            let mark = try context.create(Sticker.self)
            values.fill(mark)
            return mark
        }
        for sample in samples { values.mark(sample, with: marks) }
        for owner in owners { values.fillFavorites(of: owner, from: marks) }
    }

    /// Makes the second half of the changes. In each context, some objects are created, changed and
    /// deleted.
    private static func live(
        in contexts: [ManagedObjectContext], _ values: inout RandomValues
    ) throws {
        for (level, context) in contexts.enumerated() {
            try Owner.create(in: context, name: values.text(), rank: level)
            let owners = try Owner.find(in: context)
            let marks = try Sticker.find(in: context)
            for serial in 35..<40 {
                let sample = try context.create(Sample.self)
                sample.serial = serial + level * 5
                values.fill(sample, owners: owners)
                values.mark(sample, with: marks)
            }
            for owner in owners[(level * 2)..<(level * 2 + 2)] where values.random.chance(50) {
                owner.name = values.text()
                owner.rank = values.maybe(values.number())
                values.fillFavorites(of: owner, from: marks)
            }
            for sample in try Sample.find(in: context)
            where sample.serial % 3 == level && sample.serial < 35 {
                if values.random.chance(30) {
                    values.fill(sample, owners: owners)
                    values.mark(sample, with: marks)
                } else if values.random.chance(15) {
                    try sample.delete()
                }
            }
            if values.random.chance(50) { values.fill(marks[level]) }
        }
    }

    /// All contexts but the context whose objects are as stored.
    var unsaved: [(name: String, context: ManagedObjectContext)] {
        [("pending", pending), ("mixed", mixed), ("child", child)]
    }

    func check(_ request: FetchRequest<Sample>, seed: UInt64) throws {
        let expected = try stored.find(request).map(\.serial)
        let count = try stored.count(request)
        #expect(expected.count == count, "seed \(seed): \(request)")
        for (name, context) in unsaved {
            let found = try context.find(request).map(\.serial)
            #expect(found == expected, "\(name), seed \(seed): \(request)")
            #expect(try context.count(request) == count, "\(name), seed \(seed): \(request)")
            #expect(
                try context.exists(request) == (count > 0), "\(name), seed \(seed): \(request)")
        }
    }

    /// Returns the values that identify a sample across stores.
    static func identity(_ sample: Sample) throws -> [StoredValue] {
        let values = try sample.snapshot.storedValues
        let names = values.keys.filter { $0 != "owner" }.sorted()
        return names.map { values[$0]! } + [sample.owner?.name.storedValue ?? .null]
    }
}
