/// A set of characters in a regular expression.
indirect enum PatternSet: Sendable {
    case any
    case literal(Character)
    /// The characters that have this text as their lowercase form.
    case caseless(String)
    case range(ClosedRange<Unicode.Scalar>, ignoresCase: Bool)
    case number, word, whitespace, horizontalSpace, newline
    /// A property of Unicode or a class of POSIX.
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

    /// Whether a text is a single scalar, in composed form, that is in a range.
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

/// A set of characters with a name, such as `\p{Greek}` or `[:alpha:]`.
///
/// - Note: `@unchecked Sendable` is safe here. `Regex` is not Sendable because it may hold
///   closures. This expression is created from text, so it holds no closures. The standard library
///   publishes its compiled form atomically.
struct PatternProperty: @unchecked Sendable {
    /// The regular expression of the set, and of nothing else.
    ///
    /// The standard library matches it against only one character, so each match ends.
    private let regex: Regex<AnyRegexOutput>

    /// Whether a text has only characters that occur in names of Unicode.
    ///
    /// Any other text never reaches the standard library.
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

    /// Creates a set from its notation.
    ///
    /// - Parameter text: the set in the notation of Swift's regular expressions.
    init(_ text: String) throws {
        regex = try Regex(text)
    }

    func contains(_ character: Character) -> Bool {
        (try? regex.wholeMatch(in: String(character))) != nil
    }
}
