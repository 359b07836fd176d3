import RecordStack
import Testing

/// Format strings at each limit that the page on format strings names, and one step past it.
@Suite("Limits of format strings") struct FormatLimitTableTests {
    struct Limit: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let most: Int
        /// Returns a format string that contains the counted thing that many times.
        let text: @Sendable (Int) -> String

        init(_ name: String, _ most: Int, _ text: @escaping @Sendable (Int) -> String) {
            testDescription = name
            self.most = most
            self.text = text
        }
    }

    private static func many(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }

    static let limits: [Limit] = [
        Limit("characters", 1_048_576) { "age > 3" + many(" ", $0 - 7) },
        Limit("AND and OR", 10_000) { "age > 3" + many(" OR age > 3", $0) },
        Limit("signs of arithmetic in a row", 60) { "points == 1" + many(" + 1", $0) },
        Limit("signs of arithmetic", 200) { count in
            stride(from: 0, to: count, by: 50)
                .map { "points == 1" + many(" + 1", min(50, count - $0)) }
                .joined(separator: " AND ")
        },
        Limit("brackets around a comparison", 98) {
            many("(", $0) + "age > 3" + many(")", $0)
        },
        Limit("brackets around a condition without an operator", 99) {
            many("(", $0) + "TRUEPREDICATE" + many(")", $0)
        },
        Limit("brackets to the right of OR", 49) {
            many("age > 3 OR (", $0) + "age > 3" + many(")", $0)
        },
        Limit("brackets to the left of OR", 97) {
            many("(", $0) + "age > 3" + many(" OR age > 3)", $0)
        },
        Limit("NOT", 98) { many("NOT ", $0) + "age > 3" },
        Limit("functions", 98) { "points == " + many("abs(", $0) + "3" + many(")", $0) },
        Limit("to-one steps", 63) { "idol" + many(".idol", $0 - 1) + ".age == 3" },
        Limit("to-many relationships", 50) {
            "ANY admirers" + many(".admirers", $0 - 1) + ".age > 3"
        },
    ]

    @Test(arguments: limits)
    func `a format string is accepted at each limit and refused past it`(limit: Limit) throws {
        #expect(throws: Never.self) { try Filter(format: limit.text(limit.most), for: Hero.self) }
        let error = #expect(throws: RecordStackError.self) {
            try Filter(format: limit.text(limit.most + 1), for: Hero.self)
        }
        #expect(error?.code == .misuse)
    }
}
