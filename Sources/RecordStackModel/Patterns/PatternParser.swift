/// Reads a regular expression, in the part of Swift's language whose matching takes time in proportion to the text.
struct PatternParser {
    /// What letters in `(?imsx)` have switched on.
    struct Options {
        var ignoresCase = false
        var dotMatchesNewlines = false
        var anchorsMatchLines = false
        var ignoresSpace = false
    }

    /// Each level takes room on the thread's stack.
    static var mostGroups: Int { 50 }
    static var mostSets: Int { 20 }
    static var mostCharacters: Int { 10_000 }

    let pattern: [Character]
    var place = 0
    var options: Options
    private var depth = 0

    static func parse(_ pattern: String, ignoresCase: Bool) throws(PatternProblem) -> PatternNode {
        // Counting the bytes of a text that is much too long takes no time.
        guard pattern.utf8.count <= 16 * mostCharacters, pattern.count <= mostCharacters else {
            throw PatternProblem("it has more than \(mostCharacters) characters")
        }
        var parser = PatternParser(
            pattern: Array(pattern), options: Options(ignoresCase: ignoresCase))
        let node = try parser.choice()
        if parser.next != nil {
            throw PatternProblem("the ')' closes no group", at: parser.place)
        }
        return node
    }

    private init(pattern: [Character], options: Options) {
        self.pattern = pattern
        self.options = options
    }

    // MARK: Characters

    var next: Character? { place < pattern.count ? pattern[place] : nil }

    func character(_ offset: Int) -> Character? {
        place + offset < pattern.count ? pattern[place + offset] : nil
    }

    mutating func takes(_ text: String) -> Bool {
        let wanted = Array(text)
        guard place + wanted.count <= pattern.count,
            pattern[place..<(place + wanted.count)].elementsEqual(wanted)
        else { return false }
        place += wanted.count
        return true
    }

    mutating func require(_ character: Character, _ purpose: String) throws(PatternProblem) {
        guard next == character else {
            throw PatternProblem("expected '\(character)' \(purpose)", at: place)
        }
        place += 1
    }

    /// Takes the characters before one, and that one.
    mutating func text(until end: Character) throws(PatternProblem) -> Substring {
        guard let last = pattern[place...].firstIndex(of: end) else {
            throw PatternProblem("expected '\(end)'", at: pattern.count)
        }
        defer { place = last + 1 }
        return String(pattern[place..<last])[...]
    }

    // MARK: Groups

    /// What stands between brackets, or all of the pattern. Options that are set inside end with it.
    mutating func choice() throws(PatternProblem) -> PatternNode {
        depth += 1
        let outer = options
        defer {
            depth -= 1
            options = outer
        }
        guard depth <= Self.mostGroups else {
            throw PatternProblem(
                "more than \(Self.mostGroups) groups stand inside of one another", at: place)
        }
        var branches = [try sequence()]
        while next == "|" {
            place += 1
            branches.append(try sequence())
        }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() throws(PatternProblem) -> PatternNode {
        var sequence = PatternSequence()
        while true {
            if options.ignoresSpace { skipSpace() }
            guard let next, next != "|", next != ")" else { break }
            let start = place
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
                while let next = self.next, !next.isNewline { place += 1 }
            } else if next.isWhitespace {
                place += 1
            } else {
                return
            }
        }
    }

    /// - Returns: nil for what matches nothing and says something of what follows.
    private mutating func atom() throws(PatternProblem) -> PatternAtom? {
        let start = place
        let character = pattern[place]
        place += 1
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
