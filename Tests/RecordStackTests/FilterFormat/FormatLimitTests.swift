import FoundationEssentials
import RecordStack
import RecordStackTesting
import Testing

/// Positions in error messages, and the limits of format strings.
@Suite("Long and deep format strings") struct FormatLimitTests {
    @Test func `an error in a later line of a format string names the line`() throws {
        let error = try #require(throws: RecordStackError.self) {
            try Filter(
                format: "age > 3\n  AND nmae == 'é\u{301}\tx'\n  AND age < 5", for: Hero.self)
        }
        #expect(error.message.hasPrefix("The format string, line 2, column 7: "))
        #expect(error.message.hasSuffix("\n  AND nmae == 'é\u{301} x'\n      ^"))
    }

    @Test func `an error in a long format string shows only a part of the line`() throws {
        let rows = Array(repeating: "age > 3", count: 50).joined(separator: " OR ")
        let error = try #require(throws: RecordStackError.self) {
            try Filter(format: rows + " OR aeg > 3 OR " + rows, for: Hero.self)
        }
        let lines = error.message.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[1].count <= 102 && lines[1].hasPrefix("…") && lines[1].hasSuffix("…"))
        #expect(lines[1].dropFirst(lines[2].count - 1).hasPrefix("aeg > 3"))
    }

    /// Format strings that would recurse too deeply, or take too long, without a limit.
    private static let endless: [String] = [
        many("(", 10_000) + "age > 3",
        many("NOT ", 10_000) + "age > 3",
        many("ANY ", 10_000) + "age > 3",
        "points == " + many("- ", 10_000) + "3",
        "points == " + many("{", 10_000),
        "points == " + many("abs(", 10_000),
        "points == 1" + many(" + 1", 10_000),
        "points == 1" + many(" * 1", 10_000),
        "age > 3" + many(" OR age > 3", 10_001),
        many("SUBQUERY(admirers, $a, ", 10_000),
        "age == " + many("1", 1_100_000),
        "idol" + many(".idol", 5_000) + "x == 3",
        "idol" + many(".idol", 150_000) + " == NULL",
        "idol" + many(".idol", 63) + ".age == 3",
        many("a:", 40_000) + "(1) == 1",
        "name MATCHES '" + many("[", 400) + "'",
        "name MATCHES '" + many("[", 400) + "a" + many("]", 400) + "'",
        "name MATCHES '" + many("[]", 400) + many("]", 400) + "'",
        "name MATCHES '[" + many("a&&", 400) + "a]'",
    ]

    private static func many(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }

    @Test(arguments: endless.indices)
    func `a format string that is too deep or too long throws misuse`(index: Int) throws {
        let error = try #require(throws: RecordStackError.self) {
            try Filter(format: Self.endless[index], for: Hero.self)
        }
        #expect(error.code == .misuse)
        #expect(error.message.utf8.count < 10_000)
    }

    /// Each level doubles the level inside it.
    @Test func `a format string whose filter grows exponentially throws`() throws {
        var text = "points"
        for _ in 0..<30 {
            text = "SUBQUERY(admirers, $a, \(text) BETWEEN {1, 2}).@count"
        }
        let error = try #require(throws: RecordStackError.self) {
            try Filter(format: text + " > 0", for: Hero.self)
        }
        #expect(error.message.contains("This value is too large"))
    }

    @Test func `a format string with the maximum number of terms finds its objects`() async throws {
        let world = try await FormatWorld.stored()
        let sanitizer = ProcessInfo.processInfo.environment["RECORDSTACK_SANITIZER"]
        let count = ["address", "leak"].contains(sanitizer) ? 1_500 : 10_000
        let rows = "age == 30" + Self.many(" OR age == 30", count)
        let filter = try Filter(format: rows.replacing("==", with: "="), for: Hero.self)
        #expect(try world.heroes(filter) == "A")
        #expect(try FormatWorld.pending().heroes(filter) == "A")
        #expect(try filter.formatString(for: Hero.self) == rows)
        let deep =
            Self.many("(", 90) + "age = 30" + Self.many(")", 90)
        #expect(try world.heroes(Filter(format: deep, for: Hero.self)) == "A")
    }

    @Test func `a filter of right-nested ORs prints as a format without brackets`() throws {
        let hero = FilterProxy<Hero>()
        let filter = (0..<100).reduce(hero.points == 0) { filter, number in
            hero.points == number || filter
        }
        let text = try filter.formatString(for: Hero.self)
        #expect(text.hasPrefix("points == 99 OR points == 98 OR "))
        try FormatRoundTripTests.check(filter, Hero.self)
    }

    @Test func `a format string with as many as 60 additions finds its objects`() async throws {
        let text = "points" + Self.many(" + 1", 60) + " == 70"
        let filter = try Filter(format: text, for: Hero.self)
        #expect(try FormatWorld.pending().heroes(filter) == "A")
        try FormatRoundTripTests.check(filter, Hero.self)
        #expect(try await FormatWorld.stored().heroes(filter) == "A")
    }
}
