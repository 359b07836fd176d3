import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// The same samples, owners and stickers in four contexts: one has everything stored, one has everything
/// pending, one has some of both, and one is a child of that.
struct SampleWorld {
    let stack: TestStack
    let stored: ManagedObjectContext
    let pending: ManagedObjectContext
    let mixed: ManagedObjectContext
    let child: ManagedObjectContext

    /// The same 40 samples in four contexts of three stores.
    init(_ random: inout RandomValues) async throws {
        stack = try TestStack(for: Sample.self, Owner.self, Sticker.self, at: .temporaryFile)
        let other = try TestStack(for: Sample.self, Owner.self, Sticker.self)
        stored = other.stack.newContext()
        pending = try TestStack(for: Sample.self, Owner.self, Sticker.self).stack.newContext()
        mixed = stack.stack.newContext()
        let seed = random
        for context in [stored, pending] {
            var values = seed
            let (owners, samples, marks) = try Self.populate(context, &values)
            Self.shuffle(owners, samples, marks, &values)
            random = values
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

    /// All but the one whose objects are as stored.
    var unsaved: [(name: String, context: ManagedObjectContext)] {
        [("pending", pending), ("mixed", mixed), ("child", child)]
    }

    func check(_ request: FetchRequest<Sample>, seed: UInt64) throws {
        let expected = try stored.find(request).map(Self.identity)
        let count = try stored.count(request)
        #expect(expected.count == count, "seed \(seed): \(request)")
        for (name, context) in unsaved {
            let found = try context.find(request).map(Self.identity)
            #expect(found == expected, "\(name), seed \(seed): \(request)")
            #expect(try context.count(request) == count, "\(name), seed \(seed): \(request)")
            #expect(
                try context.exists(request) == (count > 0), "\(name), seed \(seed): \(request)")
        }
    }

    /// What a sample is, across stores.
    static func identity(_ sample: Sample) throws -> [StoredValue] {
        let values = try sample.snapshot.storedValues
        let names = values.keys.filter { $0 != "owner" }.sorted()
        return names.map { values[$0]! } + [sample.owner?.name.storedValue ?? .null]
    }
}
