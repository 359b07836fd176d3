/// A regular expression as an automaton without memory, which many ways through it do not slow down.
///
/// It is run from the end of a text to its beginning: at each offset it is known from which states the rest of the text
/// matches. So a look ahead is one more automaton, which is asked for the state that it begins with.
///
/// The steps that lead to a state stand together in a list, one list behind the other, so that a run
/// touches numbers alone.
struct PatternProgram: Sendable {
    /// What must be true for a step without a character.
    enum Condition: Sendable {
        case none
        case assertion(PatternAssertion)
        /// - Parameter start: the state that the look ahead begins with.
        case lookahead(start: Int, isNegative: Bool)
    }

    /// A step without a character, by the state that it leads away from.
    struct SilentStep: Sendable {
        let from: Int32
        /// The index of its condition; less than 0 for none.
        let condition: Int32
    }

    /// A step with a character, by the state that it leads away from.
    struct CharacterStep: Sendable {
        let from: Int32
        /// The index of its set of characters.
        let character: Int32
        /// The set's ASCII characters.
        let low: UInt64
        let high: UInt64
    }

    /// A pattern or a look ahead of it.
    struct Region: Sendable {
        /// The state at which it matches.
        let accepting: Int
        /// Whether it matches wherever it ends, or at the end of the text alone.
        let endsAnywhere: Bool
    }

    let silentSteps: [SilentStep]
    /// Where each state's list begins, and at last where the last one ends.
    let silentStarts: [Int32]
    let characterSteps: [CharacterStep]
    let characterStarts: [Int32]
    let conditions: [Condition]
    let characters: [PatternCharacter]
    /// A look ahead stands before the region that it is in.
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
