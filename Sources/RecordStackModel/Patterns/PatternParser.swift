/// Parses a regular expression in a part of Swift's language.
///
/// Matching the patterns of this part takes time proportional to the length of the text.
struct PatternParser {
    /// The options that letters in `(?imsx)` turn on.
    struct Options {
        var ignoresCase = false
        var dotMatchesNewlines = false
        var anchorsMatchLines = false
        var ignoresSpace = false
    }

    /// The maximum number of nested groups, each of which takes space on the thread's stack.
    static var mostGroups: Int { 50 }
    static var mostSets: Int { 20 }
    static var mostCharacters: Int { 10_000 }

    let pattern: [Character]
    var offset = 0
    var options: Options
    private var depth = 0

    static func parse(_ pattern: String, ignoresCase: Bool) throws(PatternProblem) -> PatternNode {
        // Counting bytes takes no time, even for a text that is far too long.
        guard pattern.utf8.count <= 16 * mostCharacters, pattern.count <= mostCharacters else {
            throw PatternProblem("it has more than \(mostCharacters) characters")
        }
        var parser = PatternParser(
            pattern: Array(pattern), options: Options(ignoresCase: ignoresCase))
        let node = try parser.choice()
        if parser.next != nil {
            throw PatternProblem("the ')' closes no group", at: parser.offset)
        }
        return node
    }

    private init(pattern: [Character], options: Options) {
        self.pattern = pattern
        self.options = options
    }

    // MARK: Characters

    var next: Character? { offset < pattern.count ? pattern[offset] : nil }

    func character(_ distance: Int) -> Character? {
        offset + distance < pattern.count ? pattern[offset + distance] : nil
    }

    mutating func takes(_ text: String) -> Bool {
        let wanted = Array(text)
        guard offset + wanted.count <= pattern.count,
            pattern[offset..<(offset + wanted.count)].elementsEqual(wanted)
        else { return false }
        offset += wanted.count
        return true
    }

    mutating func require(_ character: Character, _ purpose: String) throws(PatternProblem) {
        guard next == character else {
            throw PatternProblem("expected '\(character)' \(purpose)", at: offset)
        }
        offset += 1
    }

    /// Returns the characters before `end`, and skips them and `end`.
    mutating func text(until end: Character) throws(PatternProblem) -> Substring {
        guard let last = pattern[offset...].firstIndex(of: end) else {
            throw PatternProblem("expected '\(end)'", at: pattern.count)
        }
        defer { offset = last + 1 }
        return String(pattern[offset..<last])[...]
    }

    // MARK: Groups

    /// Parses the alternatives in a group, or those of the whole pattern.
    ///
    /// Options that are set in a group apply up to the end of the group.
    mutating func choice() throws(PatternProblem) -> PatternNode {
        depth += 1
        let outer = options
        defer {
            depth -= 1
            options = outer
        }
        guard depth <= Self.mostGroups else {
            throw PatternProblem(
                "more than \(Self.mostGroups) groups stand inside of one another", at: offset)
        }
        var branches = [try sequence()]
        while next == "|" {
            offset += 1
            branches.append(try sequence())
        }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() throws(PatternProblem) -> PatternNode {
        var sequence = PatternSequence()
        while true {
            if options.ignoresSpace { skipSpace() }
            guard let next, next != "|", next != ")" else { break }
            let start = offset
            guard let atom = try atom() else { continue }
            if options.ignoresSpace { skipSpace() }
            let count = try quantifier()
            sequence.append(atom, count, ignoresCase: options.ignoresCase)
            if count != nil, try quantifier() != nil {
                throw PatternProblem("a quantifier must appear after an expression", at: start)
            }
        }
        return sequence.node
    }

    private mutating func skipSpace() {
        while let next {
            if next == "#" {
                while let next = self.next, !next.isNewline { offset += 1 }
            } else if next.isWhitespace {
                offset += 1
            } else {
                return
            }
        }
    }

    /// Parses one element of a sequence.
    ///
    /// - Returns: nil for an element that matches nothing and only affects what follows.
    private mutating func atom() throws(PatternProblem) -> PatternAtom? {
        let start = offset
        let character = pattern[offset]
        offset += 1
        switch character {
        case "(": return try group()
        case "[": return .node(.character(PatternCharacter(try set())))
        case ".":
            return .node(
                .character(
                    PatternCharacter(options.dotMatchesNewlines ? .any : .inverted(.newline))))
        case "^":
            return .node(.assertion(options.anchorsMatchLines ? .lineStart : .textStart))
        case "$": return .node(.assertion(options.anchorsMatchLines ? .lineEnd : .textEnd))
        case "\\": return try escape()
        case "*", "+", "?":
            throw PatternProblem(
                "quantifier '\(character)' must appear after an expression", at: start)
        default: return .literal(character)
        }
    }
}
