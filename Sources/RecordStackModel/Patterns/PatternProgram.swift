/// A regular expression as an automaton, whose speed does not depend on ambiguity in the pattern.
///
/// A run goes from the end of a text to its beginning. At each offset, the run knows the states
/// from which the rest of the text matches. A lookahead is therefore one more automaton, and it
/// succeeds at an offset if its first state is one of these.
///
/// The steps that enter a state are in one list. The lists of all states are stored one after
/// another, so that a run reads only numbers.
struct PatternProgram: Sendable {
    /// The condition of a step that consumes no character.
    enum Condition: Sendable {
        case none
        case assertion(PatternAssertion)
        /// A lookahead that begins with the state `start`.
        case lookahead(start: Int, isNegative: Bool)
    }

    /// A step that consumes no character, with the state that it leaves.
    struct SilentStep: Sendable {
        let from: Int32
        /// The index of the step's condition; negative if there is no condition.
        let condition: Int32
    }

    /// A step that consumes a character, with the state that it leaves.
    struct CharacterStep: Sendable {
        let from: Int32
        /// The index of the step's set of characters.
        let character: Int32
        /// The bitmap of the ASCII characters in the set.
        let low: UInt64
        let high: UInt64
    }

    /// The whole pattern, or one of its lookaheads.
    struct Region: Sendable {
        /// The state in which the region has matched.
        let accepting: Int
        /// Whether the region matches wherever it ends, and not only at the end of the text.
        let endsAnywhere: Bool
    }

    let silentSteps: [SilentStep]
    /// The start index of each state's list, followed by the end index of the last list.
    let silentStarts: [Int32]
    let characterSteps: [CharacterStep]
    let characterStarts: [Int32]
    let conditions: [Condition]
    let characters: [PatternCharacter]
    /// The regions; a lookahead precedes the region that contains it.
    let regions: [Region]
    let regionOfState: [Int32]
    let start: Int

    var stateCount: Int { regionOfState.count }

    init(_ node: PatternNode) throws(PatternProblem) {
        var compiler = PatternCompiler()
        start = try compiler.compile(node)
        (silentSteps, silentStarts) = Self.flat(compiler.silents)
        (characterSteps, characterStarts) = Self.flat(compiler.characterSteps)
        conditions = compiler.conditions
        characters = compiler.characters
        regions = compiler.regions
        regionOfState = compiler.regionOfState
    }

    private static func flat<Step>(_ lists: [[Step]]) -> ([Step], [Int32]) {
        var starts: [Int32] = [0]
        for list in lists { starts.append(starts[starts.count - 1] + Int32(list.count)) }
        return (lists.flatMap { $0 }, starts)
    }
}
