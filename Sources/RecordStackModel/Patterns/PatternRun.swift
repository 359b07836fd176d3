/// A match of one text, which runs from the end of the text to its beginning.
struct PatternRun<Text: PatternText> {
    private let program: PatternProgram
    private let text: Text
    /// The last offset at which the rest of the text matched from each state.
    private var marks: [Int]
    /// The states at the current offset; `later` has the states at the offset after it.
    private var active: [Int32] = []
    private var later: [Int32] = []
    /// The states of each region whose steps without a character have not been followed yet.
    private var waiting: [[Int32]]

    init(_ program: PatternProgram, _ text: Text) {
        self.program = program
        self.text = text
        marks = [Int](repeating: -1, count: program.stateCount)
        waiting = [[Int32]](repeating: [], count: program.regions.count)
    }

    /// Whether the pattern matches the whole text.
    mutating func matches() -> Bool {
        var offset = text.count
        while true {
            step(to: offset)
            if offset == 0 { return marks[program.start] == 0 }
            if active.isEmpty { return false }
            offset -= 1
        }
    }

    private mutating func step(to offset: Int) {
        swap(&active, &later)
        active.removeAll(keepingCapacity: true)
        for region in program.regions.indices {
            let region = program.regions[region]
            if region.endsAnywhere || offset == text.count {
                reach(Int32(region.accepting), offset)
            }
        }
        if offset < text.count { takeCharacter(at: offset) }
        // A lookahead's result is known when its region is done. The region comes before the one
        // that contains the lookahead.
        for region in waiting.indices { close(region, offset) }
    }

    private mutating func takeCharacter(at offset: Int) {
        for index in later.indices {
            let state = Int(later[index])
            let steps = program.characterStarts[state]..<program.characterStarts[state + 1]
            for number in steps {
                let step = program.characterSteps[Int(number)]
                if marks[Int(step.from)] != offset, text.isIn(step, of: program, at: offset) {
                    reach(step.from, offset)
                }
            }
        }
    }

    private mutating func close(_ region: Int, _ offset: Int) {
        while let state = waiting[region].popLast() {
            let state = Int(state)
            for number in program.silentStarts[state]..<program.silentStarts[state + 1] {
                let step = program.silentSteps[Int(number)]
                if marks[Int(step.from)] != offset, holds(step.condition, offset) {
                    reach(step.from, offset)
                }
            }
        }
    }

    @inline(__always)
    private mutating func reach(_ state: Int32, _ offset: Int) {
        marks[Int(state)] = offset
        active.append(state)
        waiting[Int(program.regionOfState[Int(state)])].append(state)
    }

    // MARK: Conditions

    @inline(__always)
    private func holds(_ condition: Int32, _ offset: Int) -> Bool {
        condition < 0 || holds(program.conditions[Int(condition)], offset)
    }

    private func holds(_ condition: PatternProgram.Condition, _ offset: Int) -> Bool {
        switch condition {
        case .none: true
        case .assertion(let assertion): holds(assertion, offset)
        case .lookahead(let start, let isNegative): (marks[start] == offset) != isNegative
        }
    }

    private func holds(_ assertion: PatternAssertion, _ offset: Int) -> Bool {
        switch assertion {
        case .textStart: offset == 0
        case .textEnd: offset == text.count
        case .lastLineEnd:
            offset == text.count || offset == text.count - 1 && text.isNewline(at: offset)
        case .lineStart: offset == 0 || text.isNewline(at: offset - 1)
        case .lineEnd: offset == text.count || text.isNewline(at: offset)
        case .wordBoundary: isBoundary(offset)
        case .noWordBoundary: !isBoundary(offset)
        }
    }

    private func isBoundary(_ offset: Int) -> Bool {
        let before = offset > 0 && text.isPartOfWord(at: offset - 1)
        return before != (offset < text.count && text.isPartOfWord(at: offset))
    }
}
