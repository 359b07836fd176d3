// Groups and quantifiers.
extension PatternParser {
    /// Parses a group after its opening parenthesis.
    ///
    /// - Returns: nil for a comment, and for options that apply to the rest of the enclosing group.
    mutating func group() throws(PatternProblem) -> PatternAtom? {
        let start = offset - 1
        guard takes("?") else {
            if next == "*" { throw refused("(*…)", "a verb of other engines", start) }
            return .node(try closed(try choice()))
        }
        if takes("#") {
            _ = try text(until: ")")
            return nil
        }
        if takes(":") { return .node(try closed(try choice())) }
        if takes("=") { return .node(.lookahead(try closed(try choice()), isNegative: false)) }
        if takes("!") { return .node(.lookahead(try closed(try choice()), isNegative: true)) }
        if takes(">") { throw refused("(?>…)", "an atomic group", start) }
        if takes("<=") || takes("<!") { throw refused("(?<…)", "a look behind", start) }
        if takes("P<") || takes("<") { return .node(try named(until: ">")) }
        if takes("'") { return .node(try named(until: "'")) }
        return try optionGroup(start)
    }

    private mutating func closed(_ node: PatternNode) throws(PatternProblem) -> PatternNode {
        try require(")", "at the end of the group")
        return node
    }

    /// Parses a named group, whose name is not used.
    private mutating func named(until end: Character) throws(PatternProblem) -> PatternNode {
        let start = offset
        let name = try text(until: end)
        guard let first = name.first, first.isLetter || first == "_",
            name.allSatisfy(\.isPartOfWord)
        else { throw PatternProblem("expected the name of the group", at: start) }
        return try closed(try choice())
    }

    /// Parses options such as `(?i)` or `(?i-s:…)`.
    private mutating func optionGroup(_ start: Int) throws(PatternProblem) -> PatternAtom? {
        var options = options
        var isOn = true
        while let letter = next, letter != ")", letter != ":" {
            switch letter {
            case "-" where isOn: isOn = false
            case "i": options.ignoresCase = isOn
            case "s": options.dotMatchesNewlines = isOn
            case "m": options.anchorsMatchLines = isOn
            case "x": options.ignoresSpace = isOn
            // The numbers of groups are not used.
            case "n": break
            default:
                throw PatternProblem(
                    "(?\(letter)…) has no meaning here; there are the options i, m, n, s and x, and "
                        + "(?:…), (?=…), (?!…) and (?<name>…)", at: start)
            }
            offset += 1
        }
        if takes(":") {
            let outer = self.options
            self.options = options
            let node = try closed(try choice())
            self.options = outer
            return .node(node)
        }
        try require(")", "behind the options")
        // The options apply until the enclosing group ends.
        self.options = options
        return nil
    }

    func refused(_ text: String, _ what: String, _ start: Int) -> PatternProblem {
        PatternProblem(
            "\(text) is \(what), with which matching may never end; write it with characters, sets, "
                + "groups, |, quantifiers and (?=…)", at: start)
    }

    // MARK: Quantifiers

    mutating func quantifier() throws(PatternProblem) -> PatternCount? {
        let start = offset
        let count: PatternCount
        switch next {
        case "*": count = PatternCount(least: 0, most: nil)
        case "+": count = PatternCount(least: 1, most: nil)
        case "?": count = PatternCount(least: 0, most: 1)
        case "{":
            guard let range = try range() else { return nil }
            count = range
        default: return nil
        }
        if start == offset { offset += 1 }
        // Greedy and lazy quantifiers match the same texts,
        // because a match is always of the whole text.
        if next == "?" {
            offset += 1
        } else if next == "+" {
            throw refused("\(String(pattern[start..<offset]))+", "a possessive quantifier", start)
        }
        return count
    }

    /// Parses `{2}`, `{2,}`, `{,3}` or `{2,3}`.
    ///
    /// - Returns: nil for a brace that is a literal character.
    private mutating func range() throws(PatternProblem) -> PatternCount? {
        let start = offset
        guard let end = pattern[start...].firstIndex(of: "}") else { return nil }
        let inner = pattern[(start + 1)..<end].filter { $0 != " " }
        let parts = inner.split(separator: ",", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), inner.contains(where: { $0 != "," }),
            inner.allSatisfy({ $0 == "," || "0"..."9" ~= $0 && $0.isASCII })
        else { return nil }
        offset = end + 1
        let least = try number(parts[0], start) ?? 0
        if parts.count == 1 { return PatternCount(least: least, most: least) }
        let most = try number(parts[1], start)
        if let most, most < least {
            throw PatternProblem(
                "range lower bound '\(least)' must be less than or equal to upper bound '\(most)'",
                at: start)
        }
        return PatternCount(least: least, most: most)
    }

    /// Parses the number of a quantifier.
    ///
    /// - Returns: nil if there are no digits.
    private func number(
        _ digits: ArraySlice<Character>, _ start: Int
    ) throws(PatternProblem) -> Int? {
        if digits.isEmpty { return nil }
        guard digits.count <= 9, let number = Int(String(digits)) else {
            throw PatternProblem("the number of the quantifier is too large", at: start)
        }
        return number
    }
}
