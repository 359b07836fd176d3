/// A part of a sequence: a literal, or anything else.
enum PatternAtom {
    case literal(Character)
    case literals([Character])
    case node(PatternNode)
}

/// How often something may follow itself.
struct PatternCount {
    let least: Int
    /// Nil for any number.
    let most: Int?
}

/// A sequence while it is being parsed. Literals that are one character together become one, as `e` and `\u{301}` do.
struct PatternSequence {
    private var nodes: [PatternNode] = []
    /// The literal that stands last, which is not among the nodes yet.
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
