import FoundationEssentials
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Filters that are printed as format strings and read back.
@Suite("Format strings that are read back") struct FormatRoundTripTests {
    /// Checks that a filter survives a round trip. It also compares the nodes as text, because 1
    /// and 1.0 are equal but not the same.
    static func check<Entity: ManagedObject>(
        _ filter: Filter, _ entity: Entity.Type, _ comment: String = ""
    ) throws {
        let text = try filter.formatString(for: entity)
        do {
            let back = try Filter(format: text, for: entity)
            #expect(back == filter, "\(text) \(comment)")
            #expect("\(back.node)" == "\(filter.node)", "\(text) \(comment)")
            #expect("\(back)" == text)
        } catch {
            Issue.record(error, "\(text) \(comment)")
        }
    }

    @Test func `random filters survive a round trip through format strings`() throws {
        let random = Seeded.fromEnvironment()
        var made = RandomFilters(values: RandomValues(random: random))
        for _ in 0..<Seeded.rounds(5_000, full: 100_000) {
            try Self.check(made.filter(), Sample.self, "seed \(random.seed)")
        }
    }

    // MARK: Extremes

    private static let hero = FilterProxy<Hero>()

    private static var integers: [Filter] {
        let whole: [Int] = [.min, .min + 1, -1, 0, 1, .max]
        let unsigned: [UInt64] = [0, UInt64(Int64.max), UInt64(Int64.max) + 1, .max]
        let small: [Int8] = [.min, 0, .max]
        var filters = whole.map { hero.points == $0 }
        filters += unsigned.map { hero.serial >= $0 }
        return filters + small.map { hero.small < $0 }
    }

    private static var reals: [Filter] {
        let reals: [Double] = [
            0.0, -0.0, 0.1, 1e16, 1e-7, 123_456_789.125, .pi, .infinity, -.infinity, .nan,
            .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
            .leastNormalMagnitude, .ulpOfOne,
        ]
        let floats: [Float] = [
            0.1, .pi, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity,
        ]
        return reals.map { hero.ratio != $0 } + floats.map { hero.weight == $0 }
    }

    private static var decimals: [Filter] {
        let decimals: [Decimal] = [
            .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
            Decimal(string: "12345678901234567890123456789012345678")!,
            Decimal(string: "-0.1234567890123456789012345678901234567")!, Decimal(1) / 3,
            Decimal(UInt64.max), Decimal(Int64.min), 0, 9.5, .nan,
        ]
        return decimals.map { hero.price > $0 }
    }

    private static var moments: [Filter] {
        let seconds: [Double] = [0.1, -1e300, .infinity, .leastNonzeroMagnitude, 0, 86_400]
        let dates =
            [.distantPast, .distantFuture]
            + seconds.map { Date(timeIntervalSinceReferenceDate: $0) }
        return dates.map { hero.born < $0 } + dates.map { hero.born - $0 == 5 }
            + dates.map { hero.born.isIn([$0, nil]) }
    }

    @FilterList private static var others: [Filter] {
        hero.isActive.filter
        !hero.isActive
        hero.isActive == false
        hero.isActive.isIn([true])
        hero.code == UUID()
        hero.code.isIn([UUID(), nil, UUID()])
        hero.code != nil
        hero.photo == Data()
        hero.photo == Data((0...255).map { UInt8($0) })
        hero.link == URL(string: "https://example.org/?a=b&c='d'#e")!
        hero.mood == .sad
        hero.mood.isIn(Temper.allCases)
        hero.tags == ["a", "\"b'\\"]
        hero.tags.isIn([[], ["x"]])
        hero.name.isIn([])
        hero.size == 3
        hero.born == hero.born + 60
        hero.born - 60 < hero.born
        (hero.born - hero.born) * 2 > FilterExpression<Double?>(5)
        (hero.born - Date(timeIntervalSinceReferenceDate: 5)) * 2 > hero.born - hero.born
        hero.born - Date(timeIntervalSinceReferenceDate: 5) < hero.ratio.asDouble - hero.ratio
        FilterExpression<Date?>(Date.distantPast) - hero.born > 5
        FilterExpression<Date?>(Date.distantPast) + 5 == hero.born
        FilterExpression<Decimal>(5) * hero.price == hero.price - (hero.price - 1)
        FilterExpression<Decimal>(5) * FilterExpression<Decimal>(0.5) == hero.price
        (FilterExpression<Decimal>(5) + 1).magnitude == hero.price
        FilterExpression<Decimal>(-5).magnitude == hero.price
        hero.price.asDouble / 3 == 1
        (hero.price * hero.price).asDouble == 1
        FilterExpression(5) == FilterExpression(6)
        FilterExpression("a") < FilterExpression("b")
        FilterExpression<Int?>(nil) == FilterExpression<Int?>(nil)
        FilterExpression(5) == nil
        hero.age + nil == 3
        hero.points % 3 == 1
        (hero.points + 1) % 3 == 1
        hero.points - (hero.points - 1) == 1
        hero.points / (hero.points * 2) == 0
        (hero.points + 1) * -3 == -1
        hero.points - -3 == 0
        hero.weight * 0.1 == 0.3
        hero.weight + hero.weight == 0.1
        hero.weight.asDouble == 0.1
        hero.name.count + 1 == 4
        hero.name.lowercased().uppercased().hasPrefix("A")
        FilterExpression("abc").contains(hero.name)
        hero.nick.contains(hero.name, .caseInsensitive)
        hero.name.equals("x", [.caseInsensitive, .diacriticInsensitive])
        Filter.all
        Filter.none
        !Filter.all
        !(!Filter.none)
    }

    @Test func `extreme values survive a round trip through format strings`() throws {
        let numbers = Self.integers + Self.reals + Self.decimals
        for filter in numbers + Self.moments + Self.others {
            try Self.check(filter, Hero.self)
        }
    }

    @FilterList private static var structures: [Filter] {
        let (a, b, c) = (hero.points == 1, hero.points == 2, hero.points == 3)
        a && b && c
        a && (b && c)
        a || b || c
        a || (b || c)
        a && (b || c)
        (a || b) && c
        a || b && c
        (a || b) || c
        !(a && b)
        !(a || b) && c
        !a && !(!b)
        !(!(a && b))
        (a && b) && (b && c)
        (a || b) || (b || c)
        !(hero.team == nil)
        !(hero.points == 1)
        hero.team == hero.idol.team
        !(hero.team == hero.idol.team)
        hero.idol == nil && !(hero.idol.team.rank == nil)
    }

    @FilterList private static var members: [Filter] {
        let (all, fans) = (hero.team.heroes, hero.admirers)
        fans.isEmpty
        !fans.isEmpty
        fans.any { _ in Filter.all }
        fans.none { _ in Filter.none }
        fans.all { $0.age == nil }
        fans.all { $0.age != nil }
        fans.none { $0.age != nil }
        fans.any { $0.age > 3 && $0.age < 5 }
        fans.any { !($0.age > 3) }
        fans.all { !($0.age > 3) }
        fans.any { $0.points == hero.points }
        fans.any { hero.points == $0.points }
        fans.any { $0.points == $0.size }
        fans.any { $0.name.lowercased() == "a" }
        fans.any { $0.team.title == "x" }
        fans.any { $0.admirers.any { $0.name == "x" } }
        fans.any { fan in fan.admirers.any { $0.points == fan.points } }
        fans.any { fan in fan.admirers.all { $0.points == fan.points && $0.age == hero.age } }
        fans.any { fan in fan.points == hero.team.heroes.max { $0.points } }
        fans.any { fan in fan.points == fan.admirers.count }
        fans.where { $0.points > 1 }.any { $0.age > 3 }
        fans.where { $0.points > 1 }.all { $0.age > 3 }
        fans.where { $0.points > 1 }.where { $0.size > 1 }.isEmpty
        fans.where { $0.points > 1 }.count == 0
        fans.where { _ in Filter.all }.count == 0
        fans.count == all.count
        fans.sum { $0.points * 2 } == 4
        fans.sum { $0.price } > 9.5
        fans.sum { $0.points + hero.points } == 4
        fans.average { $0.price } == 1.5
        fans.average { $0.ratio } == 1.5
        fans.min { $0.born } == Date.distantPast
        fans.max { $0.isActive } == true
        fans.max { $0.serial } == .max
        fans.where { $0.isActive }.sum { $0.ratio } > fans.sum { $0.weight }
        fans.sum { $0.team.rank } == 3
        fans.max { $0.name.count } == 3
        fans.sum { $0.admirers.count } == 3
        fans.sum { _ in FilterExpression(1) } == 3
        fans.max({ $0.name }) == "x"
        fans.sum { $0.points }.asDouble / 2 == 1.5
    }

    @Test func `nested conditions survive a round trip through format strings`() throws {
        for filter in Self.structures + Self.members { try Self.check(filter, Hero.self) }
    }

    @Test(arguments: [
        "price - 1 * 2 == 19", "price -1* 2 == 19", "1 * 2 == price", "price * (1 + 2) > 3 - 1",
        "price + abs:(1) == 2", "price - abs:(1 - 2) * 3 == 2",
        "price - CAST(1, \"NSDecimalNumber\") * 2 == 19", "price - (1 * 2) * price == 3",
        "price + 1 * CAST(\"2\", \"NSDecimalNumber\") == abs:(2) + 0",
        "SUBQUERY(admirers, $a, $a.price - 1 * 2 == 19).@count == 1",
        "admirers.@sum.price - 1 * 2 == 19",
    ])
    func `Decimal arithmetic is the same after printing a filter and parsing it`(format: String)
        throws
    {
        let filter = try Filter(format: format, for: Hero.self)
        try Self.check(filter, Hero.self, format)
    }

    @Test func `a filter that compares objects is the same after printing and parsing`()
        async throws
    {
        let world = try await FormatWorld.stored()
        let (hero, ids) = (Self.hero, world.heroes.values.map(\.objectID))
        let team = world.guilds["R"]!
        @FilterList func filters() -> [Filter] {
            hero.objectID == ids[0]
            hero.objectID != ids[0]
            hero.objectID.isIn(ids)
            hero.objectID.isIn([])
            hero.team == team
            hero.team != team
            !(hero.team != team)
            hero.team.isIn([team.objectID])
            hero.team.isIn([])
            hero.idol.team == team
            hero.admirers.contains(ids[0])
            hero.admirers.none { $0.objectID == ids[0] }
            hero.admirers.all { $0.objectID == ids[0] }
            hero.admirers.any { $0.team == team }
            hero.admirers.all { $0.team != team }
            hero.admirers.any { $0.objectID.isIn(ids) }
            hero.admirers.any { $0.team == hero.team }
            hero.admirers.any { !$0.objectID.isIn(ids) }
        }
        for filter in filters() { try Self.check(filter, Hero.self) }
    }

    /// Tests every character up to U+2FFF and a sample of the others, and some special texts.
    @Test func `texts with any character survive a round trip through format strings`() throws {
        var text = String.UnicodeScalarView()
        for value in (0 as UInt32)...0x10FFFF where value < 0x3000 || value % 97 == 0 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            text.append(scalar)
            if text.count == 500 || value == 0x10FFFF {
                try Self.check(Self.hero.name == String(text), Hero.self)
                text.removeAll()
            }
        }
        for text in ["", "'", "\"", "\\", "\\'\"", "\r\n", "%@", "\u{301}", "\"\u{301}"] {
            try Self.check(Self.hero.name == text, Hero.self)
            try Self.check(Self.hero.name.like(text), Hero.self)
        }
    }

    // MARK: Filters without a format string

    @Test func `printing an invalid filter as a format string throws misuse`() throws {
        let stranger = ManagedObjectID("recordstack://\(UUID().uuidString)/Guild/1")!
        let filter = Self.hero.objectID == stranger
        let error = try #require(throws: RecordStackError.self) {
            try filter.formatString(for: Hero.self)
        }
        #expect(error.code == .misuse)
        #expect(error.message.contains("Guild"))
        #expect(throws: RecordStackError.self) {
            try (Self.hero.serial == 5).formatString(for: Guild.self)
        }
    }
}

/// A result builder for lists with a filter on each line.
@resultBuilder
enum FilterList {
    static func buildExpression(_ filter: Filter) -> [Filter] { [filter] }
    static func buildPartialBlock(first: [Filter]) -> [Filter] { first }
    static func buildPartialBlock(accumulated: [Filter], next: [Filter]) -> [Filter] {
        accumulated + next
    }
}
