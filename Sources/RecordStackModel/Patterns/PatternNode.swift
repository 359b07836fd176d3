/// A parsed regular expression.
indirect enum PatternNode {
    /// Matches one character.
    case character(PatternCharacter)
    case assertion(PatternAssertion)
    case sequence([PatternNode])
    case choice([PatternNode])
    /// A repetition; `most` is nil if the number is not limited.
    case repeated(PatternNode, least: Int, most: Int?)
    /// Tests whether the text that follows matches the node, and consumes no character.
    case lookahead(PatternNode, isNegative: Bool)

    static var empty: PatternNode { .sequence([]) }
}

/// A condition on a position between two characters.
enum PatternAssertion: Sendable {
    case textStart, textEnd
    /// The end of the text, or the position before its last newline.
    case lastLineEnd
    case lineStart, lineEnd
    case wordBoundary, noWordBoundary
}

/// The characters that one element of a regular expression matches.
///
/// The copies of a repeated element share one object, and with it the bitmap of ASCII characters.
final class PatternCharacter: Sendable {
    private let set: PatternSet
    /// The bitmap of the ASCII characters that are in the set.
    let ascii: (low: UInt64, high: UInt64)

    init(_ set: PatternSet) {
        self.set = set
        func bits(from first: UInt8) -> UInt64 {
            (0..<UInt8(64)).reduce(0) { bits, offset in
                let character = Character(Unicode.Scalar(first + offset))
                return set.contains(character) ? bits | 1 << UInt64(offset) : bits
            }
        }
        ascii = (bits(from: 0), bits(from: 64))
    }

    func contains(_ character: Character) -> Bool {
        set.contains(character)
    }
}
