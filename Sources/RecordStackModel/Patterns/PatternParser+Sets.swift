// Sets in square brackets.
extension PatternParser {
    /// Parses a set after its opening bracket.
    mutating func set(depth: Int = 1) throws(PatternProblem) -> PatternSet {
        let start = offset - 1
        guard depth <= Self.mostSets else {
            throw PatternProblem(
                "more than \(Self.mostSets) sets in square brackets stand inside of one another",
                at: start)
        }
        let isInverted = takes("^")
        var set = try members(depth, start)
        var joined = 0
        while next != "]" {
            joined += 1
            let sign = offset
            guard joined <= Self.mostSets else {
                throw PatternProblem("more than \(Self.mostSets) sets are joined", at: sign)
            }
            if takes("&&") {
                set = .intersection(set, try members(depth, sign))
            } else if takes("--") {
                set = .subtraction(set, try members(depth, sign))
            } else if takes("~~") {
                set = .symmetricDifference(set, try members(depth, sign))
            } else {
                throw PatternProblem("expected ']' at the end of the set", at: offset)
            }
        }
        offset += 1
        return isInverted ? .inverted(set) : set
    }

    private var isAtOperator: Bool {
        guard let next, next == "&" || next == "-" || next == "~" else { return false }
        return character(1) == next
    }

    /// Parses members up to the end of the set, or up to an operator between two sets.
    private mutating func members(_ depth: Int, _ start: Int) throws(PatternProblem) -> PatternSet {
        var sets: [PatternSet] = []
        while let next, next != "]", !isAtOperator {
            sets.append(try member(depth))
        }
        if sets.isEmpty { throw PatternProblem("expected members of the set", at: start) }
        return sets.count == 1 ? sets[0] : .union(sets)
    }

    private mutating func member(_ depth: Int) throws(PatternProblem) -> PatternSet {
        let start = offset
        if takes("[:") {
            let set = try posixClass()
            try requireNoRange(start)
            return set
        }
        if takes("[") {
            let set = try set(depth: depth + 1)
            try requireNoRange(start)
            return set
        }
        if takes("\\Q") {
            let ignoresCase = options.ignoresCase
            return .union(quoted().map { .literal($0, ignoresCase: ignoresCase) })
        }
        if next == "\\" {
            offset += 1
            if let set = try escapedSet() {
                try requireNoRange(start)
                return set
            }
            offset = start
        }
        let first = try literal()
        guard isAtRange else {
            return .literal(first, ignoresCase: options.ignoresCase)
        }
        offset += 1
        return try range(from: first, start)
    }

    /// Whether the parser is at the hyphen of a range.
    ///
    /// A hyphen at the end of a set, or in the operator between two sets, does not form a range.
    private var isAtRange: Bool {
        guard next == "-", let end = character(1) else { return false }
        return end != "]" && end != "-"
    }

    private func requireNoRange(_ start: Int) throws(PatternProblem) {
        if isAtRange {
            throw PatternProblem("invalid bound for character class range", at: start)
        }
    }

    private mutating func range(
        from first: Character, _ start: Int
    ) throws(PatternProblem) -> PatternSet {
        if next == "[" {
            throw PatternProblem("invalid bound for character class range", at: start)
        }
        let last = try literal()
        guard let lower = String(first).composedScalar, let upper = String(last).composedScalar
        else {
            throw PatternProblem("the bounds of a range are of one Unicode scalar", at: start)
        }
        guard lower <= upper else {
            throw PatternProblem(
                "character '\(first)' must compare less than or equal to '\(last)'", at: start)
        }
        return .range(lower...upper, ignoresCase: options.ignoresCase)
    }

    private mutating func literal() throws(PatternProblem) -> Character {
        let start = offset
        guard let character = next else {
            throw PatternProblem("expected ']' at the end of the set", at: start)
        }
        offset += 1
        guard character == "\\" else { return character }
        if takes("b") { return "\u{8}" }
        if let escaped = try escapedCharacter() { return escaped }
        // A set cannot be a bound of a range.
        throw PatternProblem(
            "invalid escape sequence '\\\(next.map(String.init) ?? "")'", at: start)
    }

    private mutating func posixClass() throws(PatternProblem) -> PatternSet {
        let start = offset - 2
        let isInverted = takes("^")
        let name = String(try text(until: ":"))
        guard PatternProperty.posixNames.contains(name), takes("]"),
            let property = try? PatternProperty("[[:\(name):]]")
        else {
            throw PatternProblem(
                "unknown class of characters '[:\(name.prefix(40)):]'", at: start)
        }
        return isInverted ? .inverted(.property(property)) : .property(property)
    }
}
