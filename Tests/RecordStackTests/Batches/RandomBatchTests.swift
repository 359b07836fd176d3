import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Batch updates and deletions by a filter, compared with a fetch by the same filter.
@Suite("Random batches") struct RandomBatchTests {
    @Test func `an update or deletion by filter affects exactly what a find returns`() async throws
    {
        let random = Seeded.fromEnvironment()
        var made = RandomFilters(values: RandomValues(random: random))
        let rounds = Seeded.rounds(200, full: 4_000)
        let worlds = max(rounds / 20, 1)
        var found = 0
        for _ in 0..<worlds {
            let world = try await SampleWorld(&made.values)
            for _ in 0..<20 {
                let request = Self.request(&made)
                let wanted = try await Self.checkUpdate(world, request, "seed \(random.seed)")
                found += wanted
                try Self.checkDeletion(world.child, request, "seed \(random.seed)")
            }
            try await Self.checkDeletion(world, Self.request(&made), "seed \(random.seed)")
        }
        print("\(rounds) requests changed \(found) objects, seed \(random.seed)")
        #expect(found > rounds)
    }

    private static func request(_ made: inout RandomFilters) -> FetchRequest<Sample> {
        FetchRequest(
            filter: made.filter(), sortKeys: made.sortKeys(),
            limit: made.values.random.chance(30)
                ? Int.random(in: 0...12, using: &made.values.random) : nil,
            offset: made.values.random.chance(20)
                ? Int.random(in: 0...9, using: &made.values.random) : 0)
    }

    /// Checks an update on the stack whose context has no unsaved changes. No filter reads the
    /// attribute that it sets.
    private static func checkUpdate(
        _ world: SampleWorld, _ request: FetchRequest<Sample>, _ comment: Comment
    ) async throws -> Int {
        let stack = world.storedStack.stack
        let wanted = Set(try world.stored.find(request).map(\.serial))
        let count = try await stack.update(request) { $0.serial += 1_000 }
        #expect(count == wanted.count, "\(comment): \(request)")
        let changed = try Sample.find(in: stack.newContext()) { $0.serial >= 1_000 }
        #expect(Set(changed.map { $0.serial - 1_000 }) == wanted, "\(comment): \(request)")
        try await stack.update(Sample.where { $0.serial >= 1_000 }) { $0.serial -= 1_000 }
        return wanted.count
    }

    /// Checks a deletion over stored and pending objects of several contexts, and rolls it back.
    private static func checkDeletion(
        _ child: ManagedObjectContext, _ request: FetchRequest<Sample>, _ comment: Comment
    ) throws {
        let all = Set(try Sample.find(in: child).map(\.serial))
        let wanted = Set(try child.find(request).map(\.serial))
        #expect(try child.delete(request) == wanted.count, "\(comment): \(request)")
        let left = Set(try Sample.find(in: child).map(\.serial))
        #expect(left == all.subtracting(wanted), "\(comment): \(request)")
        child.rollback()
        #expect(try Sample.count(in: child) == all.count, "\(comment): \(request)")
    }

    private static func checkDeletion(
        _ world: SampleWorld, _ request: FetchRequest<Sample>, _ comment: Comment
    ) async throws {
        let stack = world.storedStack.stack
        let all = Set(try Sample.find(in: world.stored).map(\.serial))
        let wanted = Set(try world.stored.find(request).map(\.serial))
        #expect(try await stack.delete(request) == wanted.count, "\(comment): \(request)")
        let left = Set(try Sample.find(in: stack.newContext()).map(\.serial))
        #expect(left == all.subtracting(wanted), "\(comment): \(request)")
        #expect(try Sample.count(in: world.stored) == left.count, "\(comment): \(request)")
    }
}
