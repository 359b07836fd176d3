import RecordStack
import RecordStackTesting
import Testing

/// Closures that create the same filter as a format string.
@Suite("Closures and format strings") struct SameFilterTests {
    private let hero = FilterProxy<Hero>()

    @Test func `a remainder in a closure equals the remainder in a format string`() throws {
        for (closure, format) in [
            (hero.age % 2 == 0, "modulus:by:(age, 2) == 0"),
            (hero.age % hero.age == 0, "modulus:by:(age, age) == 0"),
            (hero.points % hero.size == 0, "modulus:by:(points, #size) == 0"),
            (hero.age % hero.points.optional == 0, "modulus:by:(age, points) == 0"),
        ] {
            #expect(try closure == Filter(format: format, for: Hero.self), "\(format)")
        }
    }

    @Test func `!= between two relationships equals != in a format string`() async throws {
        for world in [try await FormatWorld.stored(), try FormatWorld.pending()] {
            let filter = hero.idol != hero.idol.idol
            #expect(try filter == Filter(format: "idol != idol.idol", for: Hero.self))
            #expect(try world.heroes(filter) == "AC")
            #expect(try world.heroes(hero.idol == hero.idol.idol) == "BDE")
        }
    }

    @Test func `isIn for a relationship in a filter accepts objects as well as IDs`() async throws {
        for world in [try await FormatWorld.stored(), try FormatWorld.pending()] {
            let guilds = try #require([world.guilds["R"], world.guilds["E"]] as? [Guild])
            #expect(try world.heroes(hero.team.isIn(guilds)) == "AB")
            #expect(try world.heroes(hero.team.isIn(guilds.map(\.objectID))) == "AB")
            #expect(try world.heroes(hero.team.isIn(guilds.prefix(0))) == "")
        }
    }
}
