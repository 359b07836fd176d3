// Escape sequences, after their backslash.
extension PatternParser {
    /// Parses an escape sequence outside of a set, after its backslash.
    mutating func escape() throws(PatternProblem) -> PatternAtom {
        let start = offset - 1
        guard let letter = next else {
            throw PatternProblem("expected an escape sequence behind '\\'", at: start)
        }
        if letter == "Q" {
            offset += 1
            return .literals(quoted())
        }
        if let assertion = PatternAssertion(letter) {
            offset += 1
            return .node(.assertion(assertion))
        }
        if let character = try escapedCharacter() { return .literal(character) }
        if let set = try escapedSet() { return .node(.character(PatternCharacter(set))) }
        throw unknownEscape(start)
    }

    private func unknownEscape(_ start: Int) -> PatternProblem {
        guard let letter = next else {
            return PatternProblem("expected an escape sequence behind '\\'", at: start)
        }
        let isReference = letter == "k" || letter == "g" || "1"..."9" ~= letter
        if isReference { return refused("\\\(letter)", "a back reference", start) }
        return PatternProblem("invalid escape sequence '\\\(letter)'", at: start)
    }

    /// Reads all characters up to `\E`, or to the end of the pattern.
    mutating func quoted() -> [Character] {
        var characters: [Character] = []
        while let next {
            if next == "\\", character(1) == "E" {
                offset += 2
                break
            }
            characters.append(next)
            offset += 1
        }
        return characters
    }

    /// Parses an escape sequence for a character; returns nil for any other sequence.
    mutating func escapedCharacter() throws(PatternProblem) -> Character? {
        guard let letter = next else { return nil }
        let plain: Character
        switch letter {
        case "n": plain = "\n"
        case "r": plain = "\r"
        case "t": plain = "\t"
        case "f": plain = "\u{C}"
        case "e": plain = "\u{1B}"
        case "a": plain = "\u{7}"
        case "x", "u", "U", "0": return try scalar(letter)
        default:
            // A backslash before an ASCII character that is no letter
            // and no digit gives the character itself.
            guard letter.isASCII, !letter.isLetter, !letter.isNumber, !letter.isNewline else {
                return nil
            }
            plain = letter
        }
        offset += 1
        return plain
    }

    private mutating func scalar(_ letter: Character) throws(PatternProblem) -> Character {
        let start = offset - 1
        offset += 1
        let digits: Substring
        if letter == "0" {
            let octal = pattern[offset...].prefix(2).prefix { $0.isASCII && "0"..."7" ~= $0 }
            offset += octal.count
            return Character(
                Unicode.Scalar(UInt8(String(octal), radix: 8) ?? 0))
        }
        if letter != "U", takes("{") {
            digits = try text(until: "}")
        } else {
            let length = letter == "x" ? 2 : letter == "u" ? 4 : 8
            digits = String(pattern[offset...].prefix(length))[...]
            offset += digits.count
            if digits.count != length {
                throw PatternProblem("expected \(length) hexadecimal digits", at: start)
            }
        }
        let isHexadecimal = digits.allSatisfy { $0.isASCII && $0.isHexDigit }
        guard (1...8).contains(digits.count), isHexadecimal,
            let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
        else { throw PatternProblem("expected the number of a Unicode scalar", at: start) }
        return Character(scalar)
    }

    /// Parses an escape sequence for a set of characters; returns nil for any other sequence.
    mutating func escapedSet() throws(PatternProblem) -> PatternSet? {
        guard let letter = next else { return nil }
        let set: PatternSet
        switch letter {
        case "d": set = .number
        case "D": set = .inverted(.number)
        case "w": set = .word
        case "W": set = .inverted(.word)
        case "s": set = .whitespace
        case "S": set = .inverted(.whitespace)
        case "h": set = .horizontalSpace
        case "H": set = .inverted(.horizontalSpace)
        case "v", "R": set = .newline
        case "V", "N": set = .inverted(.newline)
        case "X": set = .any
        case "p", "P": return try property(isInverted: letter == "P")
        default: return nil
        }
        offset += 1
        return set
    }

    private mutating func property(isInverted: Bool) throws(PatternProblem) -> PatternSet {
        let start = offset - 1
        offset += 1
        try require("{", "behind \\p")
        let name = try text(until: "}")
        guard PatternProperty.isName(name),
            let property = try? PatternProperty("\\p{\(name)}")
        else {
            throw PatternProblem("unknown character property '\(name.prefix(40))'", at: start)
        }
        return isInverted ? .inverted(.property(property)) : .property(property)
    }
}

extension PatternAssertion {
    fileprivate init?(_ letter: Character) {
        switch letter {
        case "b": self = .wordBoundary
        case "B": self = .noWordBoundary
        case "A": self = .textStart
        case "z": self = .textEnd
        case "Z": self = .lastLineEnd
        default: return nil
        }
    }
}
