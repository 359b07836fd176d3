import RecordStack
import RecordStackTesting
import Testing

/// Closures make the filter that a format string makes.
@Suite struct SameFilterTests {
    private let hero = FilterProxy<Hero>()

    @Test func `remainders of what may be nil, and of expressions`() throws {
        for (closure, format) in [
            (hero.age % 2 == 0, "modulus:by:(age, 2) == 0"),
            (hero.age % hero.age == 0, "modulus:by:(age, age) == 0"),
            (hero.points % hero.size == 0, "modulus:by:(points, #size) == 0"),
            (hero.age % hero.points.optional == 0, "modulus:by:(age, points) == 0"),
        ] {
            #expect(try closure == Filter(format: format, for: Hero.self), "\(format)")
        }
    }

    @Test func `two relationships that differ`() async throws {
        for world in [try await FormatWorld.stored(), try FormatWorld.pending()] {
            let filter = hero.idol != hero.idol.idol
            #expect(try filter == Filter(format: "idol != idol.idol", for: Hero.self))
            #expect(try world.heroes(filter) == "AC")
            #expect(try world.heroes(hero.idol == hero.idol.idol) == "BDE")
        }
    }

    @Test func `relationships to one of some objects`() async throws {
        for world in [try await FormatWorld.stored(), try FormatWorld.pending()] {
            let guilds = try #require([world.guilds["R"], world.guilds["E"]] as? [Guild])
            #expect(try world.heroes(hero.team.isIn(guilds)) == "AB")
            #expect(try world.heroes(hero.team.isIn(guilds.map(\.objectID))) == "AB")
            #expect(try world.heroes(hero.team.isIn(guilds.prefix(0))) == "")
        }
    }
}
