import RecordStack
import RecordStackModel
import TestSupport
import Testing

/// Regular expressions, whose engine takes a bounded time for every pattern and text.
@Suite("Regular expressions") struct PatternTests {
    /// Patterns that crash the standard library's engine, or run in it without end.
    private static let hostile = [
        #"(a){0}\1"#, #"(a)|\1"#, #"(?:(a)|b)*\1"#, #"\1(a)"#, #"(?<n>a){0}\k<n>"#, #"(a){0}\1{3}"#,
        "(?>a*)a", "a*+a", "(?<=a)b", "(?<!a)b", "(a){0}(?1)", "(?R)", "(*FAIL)", "a{1000}{1000}",
        "((a{100}){100}){100}", "[a-z]{0,1000000000}", #"\p{"#, #"\p{}"#, #"\x{110000}"#,
        #"\u{D800}"#,
        String(repeating: "(", count: 5_000), String(repeating: "(?=", count: 60),
        String(repeating: "[", count: 5_000), String(repeating: "a|", count: 100_000),
        "(?", "(?<", "[", "[^", "[a-", "[[:", "\\", "a{2,1}", "*", "a**", "(?i", "(?z)",
    ]

    @Test(arguments: hostile.indices)
    func `an unsupported or explosive MATCHES pattern throws misuse`(index: Int) throws {
        let pattern = Self.hostile[index]
        let code = onSmallStack { () -> RecordStackError.Code? in
            do {
                _ = try TextMatcher(.matches, pattern, [])
                return nil
            } catch {
                return (error as? RecordStackError)?.code
            }
        }
        #expect(code == .misuse, "\(pattern.prefix(60))")
    }

    @Test func `the error for a back reference in a MATCHES pattern names its position`() throws {
        let error = try #require(throws: RecordStackError.self) {
            try Filter(format: #"text MATCHES '(a)(b)\\1'"#, for: Crate.self)
        }
        #expect(error.code == .misuse)
        #expect(error.message.contains("a back reference"), "\(error.message)")
        #expect(error.message.contains("at character 7"), "\(error.message)")
    }

    @Test(arguments: [
        "(a*)*b", "(a|aa)+$", "(a|a?)+b", "(?:a?){300}a{300}b", "(.*a){20}b", "(?=(a*)*b)a*",
    ])
    func `a MATCHES pattern with many possible matches ends within ten seconds`(pattern: String)
        throws
    {
        let matcher = try TextMatcher(.matches, pattern, [])
        let text = String(repeating: "a", count: 2_000)
        let time = try ContinuousClock().measure { _ = try matcher.holds(text) }
        #expect(time < .seconds(10))
    }

    @Test func `a large MATCHES pattern throws misuse for a very long text`() throws {
        let matcher = try TextMatcher(.matches, "[a-z]{0,1900}", [])
        let text = String(repeating: "a", count: 1_000_000)
        let error = #expect(throws: RecordStackError.self) { try matcher.holds(text) }
        #expect(error?.code == .misuse)
    }

    @Test func `a MATCHES pattern with the deepest allowed groups does not crash`() throws {
        let deep =
            String(repeating: "(a|[[b]c](?i:", count: 24) + "x" + String(repeating: "))", count: 24)
        let isMatched = onSmallStack { try? TextMatcher(.matches, deep + "*", []).holds("aaaa") }
        #expect(isMatched == true)
    }

    /// Both engines must agree on patterns with which the standard library's engine comes to an
    /// end.
    @Test func `a random MATCHES pattern matches the same texts as Swift's Regex`() throws {
        var patterns = RandomPatterns(random: .fromEnvironment())
        let seed = patterns.random.seed
        var matched = 0
        for _ in 0..<Seeded.rounds(3_000, full: 200_000) {
            let pattern = patterns.pattern()
            let oracle = try? Regex(pattern)
            let matcher = try? TextMatcher(.matches, pattern, [])
            #expect(
                (oracle == nil) == (matcher == nil), "\(pattern.debugDescription), seed \(seed)")
            guard let oracle, let matcher else { continue }
            for _ in 0..<4 {
                let text = patterns.text()
                let isMatch = try oracle.wholeMatch(in: text) != nil
                #expect(
                    try matcher.holds(text) == isMatch,
                    "\(pattern.debugDescription) of \(text.debugDescription), seed \(seed)")
                matched += isMatch ? 1 : 0
            }
        }
        #expect(matched > 100, "seed \(seed)")
    }

    @Test func `a garbage MATCHES pattern works or throws misuse with a short message`() throws {
        var patterns = RandomPatterns(random: .fromEnvironment())
        let seed = patterns.random.seed
        print("seed \(seed)")
        var read = 0
        for _ in 0..<Seeded.rounds(20_000, full: 1_000_000) {
            let pattern = patterns.garbage()
            do {
                let options: TextOptions = patterns.random.chance(50) ? [] : .caseInsensitive
                _ = try TextMatcher(.matches, pattern, options).holds(patterns.text())
                read += 1
            } catch let error as RecordStackError {
                #expect(error.code == .misuse && error.message.utf8.count < 1_000, "seed \(seed)")
            }
        }
        #expect(read > 0, "seed \(seed)")
    }
}
