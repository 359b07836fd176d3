import TestSupport

/// Random patterns of the supported language, and texts that they may match.
struct RandomPatterns {
    var random: Seeded

    private mutating func one(_ choices: [String]) -> String {
        choices[random.below(choices.count)]
    }

    mutating func pattern() -> String { choice(3) }

    private mutating func choice(_ depth: Int) -> String {
        var text = sequence(depth)
        while random.below(4) == 0 { text += "|" + sequence(depth) }
        return text
    }

    private mutating func sequence(_ depth: Int) -> String {
        var text = ""
        for _ in 0..<random.below(4) {
            switch random.below(depth > 0 ? 16 : 10) {
            // Assertions and options, which cannot have a quantifier.
            case 0: text += one(["^", "$", #"\A"#, #"\z"#, "(?i)", "(?s)", "(?m)", "(?-i)"])
            case 10: text += "(?=" + choice(depth - 1) + ")"
            case 11: text += "(?!" + choice(depth - 1) + ")"
            case 12...15:
                let inner = choice(depth - 1)
                text += one(["(", "(?:", "(?i:"]) + inner + ")" + quantifier(of: inner)
            case 1, 2: text += set(2) + quantifier()
            case 3:
                text +=
                    one([
                        ".", #"\d"#, #"\w"#, #"\s"#, #"\D"#, #"\W"#, #"\S"#, #"\h"#, #"\R"#, #"\v"#,
                        #"\."#, #"\u{e9}"#, #"\x41"#, #"\n"#, #"\t"#, #"\-"#, #"\p{Lu}"#, #"\P{L}"#,
                        #"\p{Greek}"#,
                    ]) + quantifier()
            default: text += character() + quantifier()
            }
        }
        return text
    }

    private mutating func quantifier() -> String {
        one(["", "", "", "", "", "*", "+", "?", "{2}", "{0,1}", "{1,}", "{,2}", "*?", "{0}"])
    }

    /// Returns a quantifier. Swift's Regex tries every way to divide a text among nested
    /// repetitions, which can take it forever with three of them.
    private mutating func quantifier(of group: String) -> String {
        let isNested =
            group.contains("(") && ["*", "+", "{1,}"].contains { group.contains($0) }
        return isNested ? one(["", "?", "{2}", "{0,1}", "{,2}", "{0}"]) : quantifier()
    }

    private mutating func character() -> String {
        one(["a", "b", "c", "1", " ", "é", "e\u{301}", "\n", "A", "_", "-", "\r\n", "🙂", "}", "]"])
    }

    private mutating func set(_ depth: Int) -> String {
        var text = "[" + one(["", "", "^"])
        for _ in 0...random.below(3) {
            text +=
                depth > 0 && random.below(6) == 0
                ? set(depth - 1)
                : one([
                    "a", "b", "c", "a-c", "b-d", #"\d"#, #"\w"#, #"\s"#, "é", "à-ý", "1",
                    "[:alpha:]",
                    "[:punct:]", #"\p{L}"#, #"\]"#, #"\n"#, "[a-b]", "[^b]", " ", #"\x61"#, #"\W"#,
                    "A-Z", ".",
                ])
        }
        if random.below(6) == 0 {
            text += one(["&&", "--", "~~"]) + one(["a-c", #"\w"#, "[bc]", "b"])
        }
        return text + "]"
    }

    mutating func text() -> String {
        var text = ""
        for _ in 0..<random.below(6) {
            text += one([
                "a", "b", "c", "1", " ", "é", "e\u{301}", "\n", "A", "B", "_", "-", "\r\n", "🙂",
                "d",
                "É", ".", "α", "}", "]", "Z",
            ])
        }
        return text
    }

    private static let letters = Array(
        "()[]{}|*+?.^$\\-&~:=!<>#'iabcdkpPQEuxwsWSbBAzZ01,9é\n \u{301}\u{0}🙂")
    private static let pieces = [
        "(?:", "(?=", "(?!", "(?i)", "(?<n>", "[^", "[[:alpha:]]", "&&", "--", #"\p{L}"#,
        #"\x{41}"#,
        #"\Q"#, #"\E"#, "{2,3}", "{,9999999999}", "{1000000}", #"\1"#, #"\k<n>"#, "(?>", "(?<=",
        "*+",
    ]

    mutating func garbage() -> String {
        if random.chance(30) {
            var pattern = Array(self.pattern())
            for _ in 0...random.below(3) {
                let place = random.below(pattern.count + 1)
                pattern.insert(Self.letters[random.below(Self.letters.count)], at: place)
            }
            return String(pattern)
        }
        var text = ""
        for _ in 0..<random.below(24) {
            text +=
                random.chance(25)
                ? one(Self.pieces) : String(Self.letters[random.below(Self.letters.count)])
        }
        return text
    }
}
