/// One match of a text, from its end to its beginning.
struct PatternRun<Text: PatternText> {
    private let program: PatternProgram
    private let text: Text
    /// For each state, the last place at which the rest of the text was found to match from it.
    private var marks: [Int]
    /// The states of this place and of the one behind it.
    private var active: [Int32] = []
    private var later: [Int32] = []
    /// The states of each region whose silent steps were not gone yet.
    private var waiting: [[Int32]]

    init(_ program: PatternProgram, _ text: Text) {
        self.program = program
        self.text = text
        marks = [Int](repeating: -1, count: program.stateCount)
        waiting = [[Int32]](repeating: [], count: program.regions.count)
    }

    /// Whether all of the text matches.
    mutating func matches() -> Bool {
        var place = text.count
        while true {
            step(to: place)
            if place == 0 { return marks[program.start] == 0 }
            if active.isEmpty { return false }
            place -= 1
        }
    }

    private mutating func step(to place: Int) {
        swap(&active, &later)
        active.removeAll(keepingCapacity: true)
        for region in program.regions.indices {
            let region = program.regions[region]
            if region.endsAnywhere || place == text.count {
                reach(Int32(region.accepting), place)
            }
        }
        if place < text.count { takeCharacter(at: place) }
        // A look ahead is known when its region is done, which stands before the one that asks.
        for region in waiting.indices { close(region, place) }
    }

    private mutating func takeCharacter(at place: Int) {
        for index in later.indices {
            let state = Int(later[index])
            let steps = program.characterStarts[state]..<program.characterStarts[state + 1]
            for number in steps {
                let step = program.characterSteps[Int(number)]
                if marks[Int(step.from)] != place, text.isIn(step, of: program, at: place) {
                    reach(step.from, place)
                }
            }
        }
    }

    private mutating func close(_ region: Int, _ place: Int) {
        while let state = waiting[region].popLast() {
            let state = Int(state)
            for number in program.silentStarts[state]..<program.silentStarts[state + 1] {
                let step = program.silentSteps[Int(number)]
                if marks[Int(step.from)] != place, holds(step.condition, place) {
                    reach(step.from, place)
                }
            }
        }
    }

    @inline(__always)
    private mutating func reach(_ state: Int32, _ place: Int) {
        marks[Int(state)] = place
        active.append(state)
        waiting[Int(program.regionOfState[Int(state)])].append(state)
    }

    // MARK: Conditions

    @inline(__always)
    private func holds(_ condition: Int32, _ place: Int) -> Bool {
        condition < 0 || holds(program.conditions[Int(condition)], place)
    }

    private func holds(_ condition: PatternProgram.Condition, _ place: Int) -> Bool {
        switch condition {
        case .none: true
        case .assertion(let assertion): holds(assertion, place)
        case .lookahead(let start, let isNegative): (marks[start] == place) != isNegative
        }
    }

    private func holds(_ assertion: PatternAssertion, _ place: Int) -> Bool {
        switch assertion {
        case .textStart: place == 0
        case .textEnd: place == text.count
        case .lastLineEnd:
            place == text.count || place == text.count - 1 && text.isNewline(at: place)
        case .lineStart: place == 0 || text.isNewline(at: place - 1)
        case .lineEnd: place == text.count || text.isNewline(at: place)
        case .wordBoundary: isBoundary(place)
        case .noWordBoundary: !isBoundary(place)
        }
    }

    private func isBoundary(_ place: Int) -> Bool {
        let before = place > 0 && text.isPartOfWord(at: place - 1)
        return before != (place < text.count && text.isPartOfWord(at: place))
    }
}
