import RecordStack
import RecordStackTesting
import TestSupport
import Testing

/// A number that a context, its child and a stranger count up: whatever they do in turn, each step that was saved
/// without a conflict is in the number.
@Suite("Counted steps")
struct LostStepTests {
    private enum Step: Int, CaseIterable {
        case parentCounts, childCounts, strangerCounts
        case parentHears, childHears
        case parentSaves, childSaves, childPushes
        case parentRollsBack, childRollsBack
    }

    /// The contexts of one sequence, and how many steps are pending in them and in the store.
    private struct World {
        let stack: ContextStack
        let parent: ManagedObjectContext
        let child: ManagedObjectContext
        let here: Tally
        let below: Tally
        var parentSteps = 0
        var childSteps = 0
        var stored = 0
        var conflicts = 0

        init(_ stack: ContextStack) throws {
            self.stack = stack
            parent = stack.newContext()
            child = parent.newChild()
            try stack.saveWithBlockAndWait { context in
                try Tally.deleteAll(in: context)
                try Tally.create(in: context, name: "t")
            }
            here = try #require(try Tally.findFirst(in: parent))
            below = try #require(try Tally.findFirst(in: child))
        }

        mutating func perform(_ step: Step) throws {
            switch step {
            case .parentCounts: (here.count, parentSteps) = (here.count + 1, parentSteps + 1)
            case .childCounts: (below.count, childSteps) = (below.count + 1, childSteps + 1)
            case .strangerCounts:
                try stack.saveWithBlockAndWait {
                    try #require(try Tally.findFirst(in: $0)).count += 1
                }
                stored += 1
            case .parentHears: _ = try Tally.count(in: parent)
            case .childHears: _ = try Tally.count(in: child)
            case .parentRollsBack: rollBackParent()
            case .childRollsBack: rollBackChild()
            default: try handOn(step)
            }
        }

        private mutating func handOn(_ step: Step) throws {
            do {
                switch step {
                case .parentSaves:
                    try parent.saveAndWait()
                    (stored, parentSteps) = (stored + parentSteps, 0)
                case .childSaves:
                    try child.saveAndWait()
                    (stored, parentSteps, childSteps) = (stored + parentSteps + childSteps, 0, 0)
                default:
                    try child.push()
                    (parentSteps, childSteps) = (parentSteps + childSteps, 0)
                }
            } catch let error as RecordStackError where error.code == .conflict {
                conflicts += 1
                if step != .parentSaves { rollBackChild() }
                if step != .childPushes { rollBackParent() }
            }
        }

        private mutating func rollBackParent() {
            parent.rollback()
            parentSteps = 0
        }

        private mutating func rollBackChild() {
            child.rollback()
            childSteps = 0
        }

        /// Saves what is pending, and looks at the number.
        mutating func finish() throws -> Int? {
            try perform(.childSaves)
            try perform(.parentSaves)
            return try Tally.findFirst(in: stack.newContext())?.count
        }
    }

    @Test func `no order of four steps loses one`() throws {
        let test = try TestStack(for: Tally.self)
        let steps = Step.allCases
        var (conflicts, lost) = (0, [String]())
        for number in 0..<(steps.count * steps.count * steps.count * steps.count) {
            var (rest, sequence) = (number, [Step]())
            for _ in 0..<4 {
                sequence.append(steps[rest % steps.count])
                rest /= steps.count
            }
            let world = try run(sequence, on: test.stack, &lost)
            conflicts += world.conflicts
        }
        #expect(lost.isEmpty, "\(lost.count) sequences: \(lost.prefix(5))")
        #expect(conflicts > 500)
    }

    @Test func `no long random order loses a step`() throws {
        var random = Seeded.fromEnvironment()
        let test = try TestStack(for: Tally.self)
        let seed = random.seed
        var (conflicts, lost) = (0, [String]())
        for _ in 0..<Seeded.rounds(400, full: 20_000) {
            let sequence = (0..<(6 + random.below(14))).map { _ in
                Step.allCases[random.below(Step.allCases.count)]
            }
            conflicts += try run(sequence, on: test.stack, &lost).conflicts
        }
        #expect(lost.isEmpty, "seed \(seed), \(lost.count) sequences: \(lost.prefix(3))")
        #expect(conflicts > 50)
    }

    private func run(
        _ sequence: [Step], on stack: ContextStack, _ lost: inout [String]
    ) throws -> World {
        var world = try World(stack)
        for step in sequence { try world.perform(step) }
        let found = try world.finish()
        if found != world.stored {
            lost.append("\(sequence): \(found ?? -1) instead of \(world.stored)")
        }
        return world
    }
}
