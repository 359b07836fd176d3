/// An element of a sequence: literal characters or a parsed node.
enum PatternAtom {
    case literal(Character)
    case literals([Character])
    case node(PatternNode)
}

/// The number of times that an element may be repeated.
struct PatternCount {
    let least: Int
    /// The largest number; nil if the number is not limited.
    let most: Int?
}

/// A sequence during parsing.
///
/// Literals that form one character together, such as `e` and `\u{301}`, become one literal.
struct PatternSequence {
    private var nodes: [PatternNode] = []
    /// The last literal, which has not been added to the nodes yet.
    private var literal: (character: Character, ignoresCase: Bool)?

    mutating func append(_ atom: PatternAtom, _ count: PatternCount?, ignoresCase: Bool) {
        switch atom {
        case .literal(let character): append(character, ignoresCase)
        case .literals(let characters):
            for character in characters { append(character, ignoresCase) }
        case .node(let node):
            flush()
            nodes.append(node)
        }
        guard let count else { return }
        flush()
        let last = nodes.popLast() ?? .empty
        nodes.append(.repeated(last, least: count.least, most: count.most))
    }

    private mutating func append(_ character: Character, _ ignoresCase: Bool) {
        if let literal, literal.ignoresCase == ignoresCase {
            let both = String(literal.character) + String(character)
            if both.count == 1 {
                self.literal = (Character(both), ignoresCase)
                return
            }
        }
        flush()
        literal = (character, ignoresCase)
    }

    private mutating func flush() {
        guard let literal else { return }
        nodes.append(
            .character(
                PatternCharacter(
                    .literal(literal.character, ignoresCase: literal.ignoresCase))))
        self.literal = nil
    }

    var node: PatternNode {
        var copy = self
        copy.flush()
        return copy.nodes.count == 1 ? copy.nodes[0] : .sequence(copy.nodes)
    }
}
