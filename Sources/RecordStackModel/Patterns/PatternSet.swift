/// A set of characters in a regular expression.
indirect enum PatternSet: Sendable {
    case any
    case literal(Character)
    /// Characters that are one when both are in lower case.
    case caseless(String)
    case range(ClosedRange<Unicode.Scalar>, ignoresCase: Bool)
    case number, word, whitespace, horizontalSpace, newline
    /// A property of Unicode's, or a class of POSIX's.
    case property(PatternProperty)
    case inverted(PatternSet)
    case union([PatternSet])
    case intersection(PatternSet, PatternSet)
    case subtraction(PatternSet, PatternSet)
    case symmetricDifference(PatternSet, PatternSet)

    static func literal(_ character: Character, ignoresCase: Bool) -> PatternSet {
        ignoresCase ? .caseless(character.lowercased()) : .literal(character)
    }

    func contains(_ character: Character) -> Bool {
        switch self {
        case .any: true
        case .literal(let literal): character == literal
        case .caseless(let lowered): character.lowercased() == lowered
        case .range(let range, let ignoresCase):
            Self.contains(range, String(character))
                || ignoresCase
                    && (Self.contains(range, character.lowercased())
                        || Self.contains(range, character.uppercased()))
        case .number: character.isNumber
        case .word: character.isPartOfWord
        case .whitespace: character.isWhitespace
        case .horizontalSpace: character.isHorizontalSpace
        case .newline: character.isNewline
        case .property(let property): property.contains(character)
        case .inverted(let set): !set.contains(character)
        case .union(let sets): sets.contains { $0.contains(character) }
        case .intersection(let a, let b): a.contains(character) && b.contains(character)
        case .subtraction(let a, let b): a.contains(character) && !b.contains(character)
        case .symmetricDifference(let a, let b): a.contains(character) != b.contains(character)
        }
    }

    /// A range has the characters of one scalar.
    private static func contains(_ range: ClosedRange<Unicode.Scalar>, _ text: String) -> Bool {
        text.composedScalar.map(range.contains) ?? false
    }
}

extension Character {
    var isPartOfWord: Bool { isLetter || isNumber || self == "_" }

    fileprivate var isHorizontalSpace: Bool {
        self == "\t" || unicodeScalars.first?.properties.generalCategory == .spaceSeparator
    }
}

/// A set of characters by its name, such as `\p{Greek}` or `[:alpha:]`.
///
/// - Note: `@unchecked Sendable`: `Regex` is not Sendable because it may hold closures of a program's
///   own. This one is made of text and so holds none; the standard library publishes its compiled
///   form atomically.
struct PatternProperty: @unchecked Sendable {
    /// One set and nothing else, which the standard library matches against one character: that ends.
    private let regex: Regex<AnyRegexOutput>

    /// Unicode's names have no other characters. A text of others never reaches the standard library.
    static func isName(_ name: Substring) -> Bool {
        (1...60).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch UInt8(byte) | 0x20 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"): true
                default: byte == UInt8(ascii: "_") || byte == UInt8(ascii: "=")
                }
            }
    }

    static let posixNames: Set<String> = [
        "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
        "upper", "word", "xdigit",
    ]

    /// - Parameter text: the set as Swift's regular expressions have it.
    init(_ text: String) throws {
        regex = try Regex(text)
    }

    func contains(_ character: Character) -> Bool {
        (try? regex.wholeMatch(in: String(character))) != nil
    }
}
