import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Pages by key, which find the same as a find in both directions, with saved and unsaved objects.
@Suite("Random paging") struct RandomWalkTests {
    @Test func `pages by key of random requests equal a find in both directions`() async throws {
        let random = Seeded.fromEnvironment()
        var made = RandomFilters(values: RandomValues(random: random))
        let rounds = Seeded.rounds(200, full: 4_000)
        for _ in 0..<(rounds / 20) {
            let world = try await SampleWorld(&made.values)
            for _ in 0..<20 {
                let request = FetchRequest<Sample>(
                    filter: made.values.random.chance(60) ? made.filter() : nil,
                    sortKeys: made.sortKeys())
                let size = Int.random(in: 1...15, using: &made.values.random)
                for (name, context) in [("stored", world.stored)] + world.unsaved {
                    let comment: Comment = "\(name), size \(size), seed \(random.seed): \(request)"
                    try Self.check(request, size: size, in: context, comment)
                }
            }
        }
    }

    private static func check(
        _ request: FetchRequest<Sample>, size: Int, in context: ManagedObjectContext,
        _ comment: Comment
    ) throws {
        let wanted = try context.find(request).map(\.objectID)
        var forward: [ManagedObjectID] = []
        var page = try context.page(after: nil, size: size, of: request)
        #expect(page.previous == nil, comment)
        while true {
            #expect(page.items.count == size || page.next == nil, comment)
            forward += page.items.map(\.objectID)
            guard let next = page.next else { break }
            // The token passes through text, as in a link.
            page = try context.page(
                after: PageToken(String(next.description)), size: size, of: request)
            #expect(page.previous != nil, comment)
        }
        #expect(forward == wanted, comment)

        var backward: [ManagedObjectID] = []
        page = try context.page(before: nil, size: size, of: request)
        #expect(page.next == nil, comment)
        while true {
            backward = page.items.map(\.objectID) + backward
            guard let previous = page.previous else { break }
            page = try context.page(before: previous, size: size, of: request)
        }
        #expect(backward == wanted, comment)
    }
}
