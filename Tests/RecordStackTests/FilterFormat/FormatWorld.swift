import FoundationEssentials
import RecordStack
import RecordStackTesting

enum Temper: String, CaseIterable, AttributeValue {
    case happy, sad
}

@Entity final class Hero: ManagedObject {
    @Attribute var key: String
    @Attribute var name: String
    @Attribute var nick: String?
    @Attribute var age: Int?
    @Attribute var points: Int
    @Attribute var ratio: Double
    @Attribute var isActive: Bool
    @Attribute var born: Date?
    @Attribute var price: Decimal
    @Attribute var code: UUID?
    @Attribute var photo: Data?
    @Attribute var link: URL?
    @Attribute var mood: Temper = .happy
    @Attribute var tags: [String] = []
    @Attribute var weight: Float = 0
    @Attribute var serial: UInt64 = 0
    @Attribute var small: Int8 = 0
    // SIZE is a word of the language of format strings.
    @Attribute var size: Int
    @Relationship(inverse: \Guild.heroes) var team: Guild?
    @Relationship(inverse: \Hero.admirers) var idol: Hero?
    @Relationship var admirers: ToMany<Hero>
}

@Entity final class Guild: ManagedObject {
    @Attribute var key: String
    @Attribute var title: String
    @Attribute var rank: Int?
    @Relationship var heroes: ToMany<Hero>
}

/// Five heroes and three guilds, in a store or pending in a context.
struct FormatWorld {
    let stack: TestStack
    let context: ManagedObjectContext
    let heroes: [String: Hero]
    let guilds: [String: Guild]

    /// Returns a world whose objects are read from the store.
    static func stored() async throws -> FormatWorld {
        let world = try FormatWorld()
        try await world.context.save()
        return world
    }

    /// Returns a world whose objects are only in memory.
    static func pending() throws -> FormatWorld { try FormatWorld() }

    private init() throws {
        stack = try TestStack(for: Hero.self, Guild.self)
        context = stack.stack.newContext()
        var (heroes, guilds): ([String: Hero], [String: Guild]) = ([:], [:])
        for (key, title, rank) in [("R", "Reds", 1), ("B", "Blues", nil), ("E", "Empty", 3)] {
            let guild = try context.create(Guild.self)
            (guild.key, guild.title, guild.rank) = (key, title, rank)
            guilds[key] = guild
        }
        for row in Self.rows {
            let hero = try context.create(Hero.self)
            row.fill(hero)
            hero.team = row.team.flatMap { guilds[$0] }
            heroes[row.key] = hero
        }
        heroes["A"]?.idol = heroes["B"]
        heroes["C"]?.idol = heroes["A"]
        heroes["D"]?.idol = heroes["D"]
        (self.heroes, self.guilds) = (heroes, guilds)
    }

    private struct Row {
        let key, name: String
        let nick: String?
        let age: Int?
        let points: Int
        let ratio: Double
        let isActive: Bool
        let born: Double?
        let price: String
        let team: String?

        func fill(_ hero: Hero) {
            (hero.key, hero.name, hero.nick, hero.age) = (key, name, nick, age)
            (hero.points, hero.ratio, hero.isActive) = (points, ratio, isActive)
            hero.born = born.map { Date(timeIntervalSinceReferenceDate: $0) }
            hero.price = Decimal(string: price)!
            hero.size = name.count
            hero.weight = Float(ratio) / 10
            hero.serial = isActive ? .max : UInt64(name.count)
            guard key == "A" else { return }
            hero.code = UUID(uuidString: "12345678-0000-0000-0000-00000000ABCD")
            hero.photo = Data([1, 2, 255])
            hero.link = URL(string: "https://example.org/a")
            (hero.mood, hero.tags) = (.sad, ["x", "y"])
        }
    }

    private static let rows = [
        Row(
            key: "A", name: "Ann", nick: nil, age: 30, points: 10, ratio: 1.5, isActive: true,
            born: 0, price: "9.5", team: "R"),
        Row(
            key: "B", name: "Bob", nick: "Bobby", age: 41, points: -3, ratio: -1.5,
            isActive: false, born: 86_400, price: "10", team: "R"),
        Row(
            key: "C", name: "cid", nick: "Cid", age: nil, points: 0, ratio: 0, isActive: true,
            born: nil, price: "0", team: "B"),
        Row(
            key: "D", name: "d*t?", nick: "a'b\"c", age: 65, points: 8, ratio: 100,
            isActive: true, born: 1_000_000, price: "-1", team: "B"),
        Row(
            key: "E", name: "Éva", nick: "EVA 100%", age: 18, points: 255, ratio: 2.25,
            isActive: false, born: -86_400, price: "100.25", team: nil),
    ]

    // MARK: Finding

    /// Returns the keys of the heroes for which a filter is true.
    func heroes(_ filter: Filter) throws -> String {
        try context.find(FetchRequest<Hero>(filter: filter)).map(\.key).sorted().joined()
    }

    func guilds(_ filter: Filter) throws -> String {
        try context.find(FetchRequest<Guild>(filter: filter)).map(\.key).sorted().joined()
    }
}
