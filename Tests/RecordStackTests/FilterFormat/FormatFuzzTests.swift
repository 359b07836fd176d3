import FoundationEssentials
import RecordStack
import RecordStackTesting
import TestSupport
import Testing

/// Damaged format strings. Each is refused, or means the same in SQL, in memory and when printed.
@Suite("Damaged format strings") struct FormatFuzzTests {
    @Test func `a mutated format string throws or finds the same in SQL and memory`() async throws {
        let worlds = [try await FormatWorld.stored(), try FormatWorld.pending()]
        var damage = FormatDamage(random: Seeded.fromEnvironment())
        let seed = damage.random.seed
        var accepted = 0
        for _ in 0..<Seeded.rounds(10_000, full: 100_000) {
            let row = FormatDamage.cases.randomElement(using: &damage.random)!
            let format = damage.damaged(row.format)
            var results: [String] = []
            for world in worlds {
                do {
                    let filter = try Filter(
                        format: format, arguments: row.arguments(world),
                        variables: row.variables(world), for: Hero.self)
                    if world.context === worlds[0].context {
                        try FormatRoundTripTests.check(filter, Hero.self, "\(format), seed \(seed)")
                    }
                    results.append(try world.heroes(filter))
                } catch let error as RecordStackError {
                    #expect(error.code == .misuse, "\(format), seed \(seed)")
                    results.append(error.message.hasPrefix("The format") ? "" : error.message)
                }
            }
            #expect(results[0] == results[1], "\(format), seed \(seed)")
            accepted += results[0].isEmpty ? 0 : 1
        }
        #expect(accepted > 0)
    }

    /// Syntax inside of an argument must not change what the filter finds.
    @Test(arguments: [
        "' OR 1=1 --", "\" OR TRUEPREDICATE", "'; DROP TABLE Hero; --", "%@", "$x", "\\", "\u{0}",
        "*", "NULL", "Ann' OR 'a'='a", ")", "{", "x\u{0}' OR '1'='1", "\u{10FFFF}", "e\u{301}",
    ])
    func `an argument of a format string is never read as syntax`(text: String) async throws {
        let world = try await FormatWorld.stored()
        for format in ["name == %@", "name BEGINSWITH %@", "name IN {%@}", "name ==[cd] %@"] {
            let filter = try Filter(format: format, text, for: Hero.self)
            #expect(try world.heroes(filter) == "")
            try FormatRoundTripTests.check(filter, Hero.self)
        }
        world.heroes["A"]?.nick = text
        try await world.context.save()
        let filter = try Filter(format: "nick == %@", text, for: Hero.self)
        #expect(try world.heroes(filter) == "A")
    }
}

/// A generator of damaged format strings.
struct FormatDamage {
    var random: Seeded

    static let cases =
        FormatCase.comparisons + FormatCase.compounds + FormatCase.texts + FormatCase.lists
        + FormatCase.literals + FormatCase.substitutions + FormatCase.members
        + FormatCase.calculations

    private static let pieces = [
        "(", ")", "{", "}", "[", "]", "[c]", "[cd]", ",", ".", "..", "'", "\"", "\\", "#", "$",
        "$h",
        "%", "%@", "%K", "%d", "%%", "@", "@count", ".@count", ".@sum.points", "+", "-", "*", "**",
        "/", "=", "==", "!=", "<", ">", "<=", "&&", "||", "!", ":=", ":", " AND ", " OR ", " NOT ",
        " ANY ", " ALL ", " NONE ", " IN ", " BETWEEN ", " CONTAINS ", " LIKE ", " MATCHES ",
        " BEGINSWITH ", " SELF ", " NULL ", " TRUE ", " TRUEPREDICATE ", "SUBQUERY(", "CAST(",
        "abs(", "lowercase:(", "now()", "age", "name", "team", "heroes", "admirers", "idol.",
        "points", "price", "born", "isActive", "code", "tags", "0", "1", "-1", "3.5", "0x1F", "1e9",
        "9223372036854775808", "18446744073709551616", "1e-400", "\u{0}", "\n", "é", "🙂",
        "\u{301}", "\u{202E}", "ı", "ſ", "İN", "ﬁ",
    ]

    mutating func damaged(_ format: String) -> String {
        var scalars = Array(format.unicodeScalars)
        for _ in 0..<(1 + random.below(3)) {
            let place = random.below(scalars.count + 1)
            let end = min(scalars.count, place + random.below(6))
            switch random.below(6) {
            case 0: scalars.removeSubrange(place..<end)
            case 1, 2:
                let piece = Self.pieces.randomElement(using: &random)!
                scalars.insert(contentsOf: piece.unicodeScalars, at: place)
            case 3:
                let piece = Self.pieces.randomElement(using: &random)!
                scalars.replaceSubrange(place..<end, with: piece.unicodeScalars)
            case 4: scalars.insert(contentsOf: scalars[place..<end], at: random.below(place + 1))
            default:
                let other = Array(Self.cases.randomElement(using: &random)!.format.unicodeScalars)
                scalars.replaceSubrange(place..., with: other[random.below(other.count)...])
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
