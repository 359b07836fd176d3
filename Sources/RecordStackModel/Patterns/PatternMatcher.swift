/// A regular expression that was read: one that matches a text in a time in proportion to its length, whatever the
/// expression and the text are.
struct PatternMatcher: Sendable {
    /// States times characters: some seconds. A pattern of ten characters has room for a text of 40 million.
    private static let mostSteps = 400_000_000

    private let program: PatternProgram

    /// - Throws: ``PatternProblem``
    init(_ pattern: String, ignoresCase: Bool = false) throws {
        program = try PatternProgram(PatternParser.parse(pattern, ignoresCase: ignoresCase))
    }

    /// Whether all of a text matches.
    /// - Throws: ``PatternProblem`` where the text is too long for a pattern of that length.
    func matches(_ text: String) throws(PatternProblem) -> Bool {
        guard text.utf8.count < Self.mostSteps / program.stateCount else {
            throw PatternProblem(
                "a text of \(text.utf8.count) bytes is too long for a pattern of \(program.stateCount) "
                    + "characters and repetitions")
        }
        var text = text
        let found = text.withUTF8 { bytes -> Bool? in
            // CR and LF are one character.
            guard bytes.allSatisfy({ $0 < 0x80 && $0 != 0x0D }) else { return nil }
            var run = PatternRun(program, ASCIIText(bytes: bytes))
            return run.matches()
        }
        if let found { return found }
        var run = PatternRun(program, UnicodeText(characters: Array(text)))
        return run.matches()
    }
}
