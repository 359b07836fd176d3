/// Compiles a regular expression into an automaton, from its end to its beginning.
struct PatternCompiler {
    /// The maximum number of states, which is more than people write.
    ///
    /// With this many states, a text of a million characters takes a few seconds at most.
    static let mostStates = 2_000

    /// The steps that enter each state without consuming a character.
    private(set) var silents: [[PatternProgram.SilentStep]] = []
    private(set) var characterSteps: [[PatternProgram.CharacterStep]] = []
    private(set) var conditions: [PatternProgram.Condition] = []
    private(set) var characters: [PatternCharacter] = []
    private(set) var regions: [PatternProgram.Region] = []
    private(set) var regionOfState: [Int32] = []

    private var characterIndexes: [ObjectIdentifier: Int] = [:]
    /// The region that is being compiled.
    private var region = 0

    /// Compiles a pattern.
    ///
    /// - Returns: the state at which the pattern begins.
    mutating func compile(_ node: PatternNode) throws(PatternProblem) -> Int {
        try compileRegion(node, endsAnywhere: false)
    }

    // MARK: States and steps

    private mutating func state() throws(PatternProblem) -> Int {
        guard silents.count < Self.mostStates else {
            throw PatternProblem(
                "its characters and repetitions come to more than \(Self.mostStates); ask for a length "
                    + "beside the pattern")
        }
        silents.append([])
        characterSteps.append([])
        regionOfState.append(Int32(region))
        return silents.count - 1
    }

    private mutating func step(
        from state: Int, to end: Int, _ condition: PatternProgram.Condition = .none
    ) {
        var index: Int32 = -1
        if case .none = condition {
        } else {
            index = Int32(conditions.count)
            conditions.append(condition)
        }
        silents[end].append(PatternProgram.SilentStep(from: Int32(state), condition: index))
    }

    private mutating func step(from state: Int, to end: Int, with character: PatternCharacter) {
        let index = characterIndexes[ObjectIdentifier(character)] ?? characters.count
        if index == characters.count {
            characters.append(character)
            characterIndexes[ObjectIdentifier(character)] = index
        }
        characterSteps[end].append(
            PatternProgram.CharacterStep(
                from: Int32(state), character: Int32(index), low: character.ascii.low,
                high: character.ascii.high))
    }

    // MARK: Nodes

    private mutating func compileRegion(
        _ node: PatternNode, endsAnywhere: Bool
    ) throws(PatternProblem) -> Int {
        // The lookaheads of a region are compiled before it, and get the lower region indexes.
        var lookaheads = try compileLookaheads(in: node)[...]
        region = regions.count
        let accepting = try state()
        regions.append(PatternProgram.Region(accepting: accepting, endsAnywhere: endsAnywhere))
        return try compile(node, to: accepting, &lookaheads)
    }

    /// Returns the start states of a region's lookaheads, in the order of the pattern.
    private mutating func compileLookaheads(
        in node: PatternNode
    ) throws(PatternProblem) -> [Int] {
        switch node {
        case .character, .assertion: return []
        case .sequence(let nodes), .choice(let nodes):
            var all: [Int] = []
            for node in nodes { all += try compileLookaheads(in: node) }
            return all
        case .repeated(let node, _, _): return try compileLookaheads(in: node)
        case .lookahead(let node, _): return [try compileRegion(node, endsAnywhere: true)]
        }
    }

    /// Compiles a node.
    ///
    /// - Parameters:
    ///   - end: the state at which the node has matched.
    ///   - lookaheads: the lookaheads of the node, which are taken from the last to the first.
    /// - Returns: the state at which the node begins.
    private mutating func compile(
        _ node: PatternNode, to end: Int, _ lookaheads: inout ArraySlice<Int>
    ) throws(PatternProblem) -> Int {
        switch node {
        case .character(let character):
            let state = try state()
            step(from: state, to: end, with: character)
            return state
        case .assertion(let assertion):
            let state = try state()
            step(from: state, to: end, .assertion(assertion))
            return state
        case .sequence(let nodes):
            var end = end
            for node in nodes.reversed() { end = try compile(node, to: end, &lookaheads) }
            return end
        case .choice(let nodes):
            let state = try state()
            for node in nodes.reversed() {
                step(from: state, to: try compile(node, to: end, &lookaheads))
            }
            return state
        case .repeated(let node, let least, let most):
            return try repeated(node, least, most, to: end, &lookaheads)
        case .lookahead(_, let isNegative):
            guard let start = lookaheads.popLast() else { return end }
            let state = try state()
            step(from: state, to: end, .lookahead(start: start, isNegative: isNegative))
            return state
        }
    }

    /// Compiles copies of a node, all of which use the same lookaheads.
    private mutating func repeated(
        _ node: PatternNode, _ least: Int, _ most: Int?, to end: Int,
        _ lookaheads: inout ArraySlice<Int>
    ) throws(PatternProblem) -> Int {
        let own = lookaheads
        // A node without copies uses up its lookaheads too.
        lookaheads = lookaheads.dropLast(node.lookaheadCount)
        var first = end
        if let most {
            for _ in 0..<max(0, most - least) {
                first = try optional(node, to: first, skippingTo: end, own)
            }
        } else {
            first = try endless(node, to: end, own)
        }
        for _ in 0..<least {
            var rest = own
            let copy = try compile(node, to: first, &rest)
            // A node that matches nothing creates no states, so
            // any number of copies of it is the same.
            if copy == first { break }
            first = copy
        }
        return first
    }

    private mutating func optional(
        _ node: PatternNode, to next: Int, skippingTo end: Int, _ lookaheads: ArraySlice<Int>
    ) throws(PatternProblem) -> Int {
        let state = try state()
        step(from: state, to: end)
        if case .character(let character) = node {
            step(from: state, to: next, with: character)
        } else {
            var rest = lookaheads
            step(from: state, to: try compile(node, to: next, &rest))
        }
        return state
    }

    private mutating func endless(
        _ node: PatternNode, to end: Int, _ lookaheads: ArraySlice<Int>
    ) throws(PatternProblem) -> Int {
        let state = try state()
        step(from: state, to: end)
        if case .character(let character) = node {
            step(from: state, to: state, with: character)
        } else {
            var rest = lookaheads
            step(from: state, to: try compile(node, to: state, &rest))
        }
        return state
    }
}

extension PatternNode {
    fileprivate var lookaheadCount: Int {
        switch self {
        case .character, .assertion: 0
        case .sequence(let nodes), .choice(let nodes):
            nodes.reduce(0) { $0 + $1.lookaheadCount }
        case .repeated(let node, _, _): node.lookaheadCount
        case .lookahead: 1
        }
    }
}
