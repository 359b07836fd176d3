import FoundationEssentials
import RecordStack
import Testing

/// Aggregates over members whose value may belong to an object around them.
@Suite("Outer values in aggregates") struct OuterValueTests {
    private static let conditions: [(String, @Sendable (FilterProxy<Hero>) -> Filter)] = [
        ("A", { hero in hero.admirers.sum { _ in hero.points } == 10 }),
        ("ABCD", { hero in hero.team.heroes.max { _ in hero.points } == hero.points }),
        ("AB", { hero in hero.team.heroes.sum { _ in hero.team.rank } == 2 }),
        ("A", { hero in hero.admirers.where { $0.age == nil }.average { _ in hero.points } == 10 }),
        ("B", { hero in hero.admirers.min { _ in hero.nick } == "Bobby" }),
        ("A", { hero in hero.admirers.sum { _ in hero.price } == 9.5 }),
        (
            "ABCD",
            { hero in hero.team.heroes.any { $0.admirers.sum { _ in hero.points } == hero.points } }
        ),
        (
            "AB",
            { hero in
                hero.team.heroes.any { other in other.admirers.sum { _ in other.points } == 10 }
            }
        ),
        ("ABD", { hero in hero.admirers.sum { _ in hero.admirers.count } == 1 }),
    ]

    @Test func `a filter's aggregate over members can use the outer object's values`() async throws
    {
        for world in [try await FormatWorld.stored(), try FormatWorld.pending()] {
            for (expected, condition) in Self.conditions {
                let filter = condition(FilterProxy())
                let text = try filter.formatString(for: Hero.self)
                #expect(try world.heroes(filter) == expected, "\(text)")
                #expect(try Filter(format: text, for: Hero.self) == filter)
            }
        }
    }

    @Test func `aggregates in sort keys, values and groups can use the owner's values`()
        async throws
    {
        for world in [try await FormatWorld.stored(), try FormatWorld.pending()] {
            let context = world.context
            let sums = try Hero.values(
                of: { hero in hero.admirers.sum { _ in hero.points } }, sortedBy: .ascending(\.key),
                in: context)
            #expect(sums == [10, -3, 0, 8, 0])
            #expect(
                try Hero.sum(of: { hero in hero.admirers.sum { _ in hero.points } }, in: context)
                    == 15)
            let sorted = try Hero.find(
                sortedBy: [
                    .descending { hero in hero.admirers.max { _ in hero.points } },
                    .ascending(\.key),
                ], in: context)
            #expect(sorted.map(\.key).joined() == "ADBCE")
            let groups = try Hero.groups(
                by: { hero in hero.admirers.sum { _ in hero.points } }, in: context
            ) { group, sum in (sum, group.count) }
            #expect(groups.map(\.0) == [-3, 0, 8, 10] && groups.map(\.1) == [1, 2, 1, 1])
        }
    }
}
