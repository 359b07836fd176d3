/// A parsed regular expression, which matches in time proportional to the length of the text.
///
/// This is true for every expression and every text.
struct PatternMatcher: Sendable {
    /// The maximum product of states and characters; a match of this size takes a few seconds.
    ///
    /// A pattern of ten characters can match a text of 40 million.
    private static let mostSteps = 400_000_000

    private let program: PatternProgram

    /// Parses a regular expression.
    ///
    /// - Throws: ``PatternProblem`` for an invalid or unsupported pattern.
    init(_ pattern: String, ignoresCase: Bool = false) throws {
        program = try PatternProgram(PatternParser.parse(pattern, ignoresCase: ignoresCase))
    }

    /// Whether the pattern matches the whole text.
    ///
    /// - Throws: ``PatternProblem`` if the text is too long for a pattern of this length.
    func matches(_ text: String) throws(PatternProblem) -> Bool {
        guard text.utf8.count < Self.mostSteps / program.stateCount else {
            throw PatternProblem(
                "a text of \(text.utf8.count) bytes is too long for a pattern of \(program.stateCount) "
                    + "characters and repetitions")
        }
        var text = text
        let found = text.withUTF8 { bytes -> Bool? in
            // CR and LF are one Character, which a byte cannot represent.
            guard bytes.allSatisfy({ $0 < 0x80 && $0 != 0x0D }) else { return nil }
            var run = PatternRun(program, ASCIIText(bytes: bytes))
            return run.matches()
        }
        if let found { return found }
        var run = PatternRun(program, UnicodeText(characters: Array(text)))
        return run.matches()
    }
}
