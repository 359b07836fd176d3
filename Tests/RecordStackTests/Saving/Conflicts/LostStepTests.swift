import RecordStack
import RecordStackTesting
import TestSupport
import Testing

/// Two numbers that a context, its child and other contexts count in any order. The numbers must
/// contain each step that was saved without a conflict.
@Suite("Lost updates")
struct LostStepTests {
    private enum Step: String, CaseIterable {
        case parentCounts, parentCountsOther, childCounts, childCountsOther, strangerCounts
        case strangerCountsDown
        case parentHears, childHears
        case parentSaves, childSaves, childPushes
        case parentRollsBack, childRollsBack
        /// Another stack on the same file, whose saves the contexts do not notice.
        case foreignerCounts, foreignerCountsDown
        case parentFinds, childFinds

        static let inOneStack: [Step] = [
            .parentCounts, .childCounts, .strangerCounts, .parentHears, .childHears, .parentSaves,
            .childSaves, .childPushes, .parentRollsBack, .childRollsBack,
        ]
        static let inTwoStacks: [Step] = [
            .parentCounts, .childCountsOther, .childCounts, .foreignerCounts, .foreignerCountsDown,
            .parentFinds, .childFinds, .parentSaves, .childSaves, .childPushes,
        ]
    }

    /// The contexts of one sequence, and the number of steps that are pending in them and in the
    /// store.
    private struct World {
        let stack: ContextStack
        let foreigner: ContextStack
        let parent: ManagedObjectContext
        let child: ManagedObjectContext
        let here: Tally
        let below: Tally
        var parentSteps = SIMD2(0, 0)
        var childSteps = SIMD2(0, 0)
        var stored = SIMD2(0, 0)
        var conflicts = 0

        init(_ stack: ContextStack, _ foreigner: ContextStack) throws {
            (self.stack, self.foreigner) = (stack, foreigner)
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
            case .parentCounts: (here.count, parentSteps.x) = (here.count + 1, parentSteps.x + 1)
            case .parentCountsOther:
                (here.other, parentSteps.y) = (here.other + 1, parentSteps.y + 1)
            case .childCounts: (below.count, childSteps.x) = (below.count + 1, childSteps.x + 1)
            case .childCountsOther:
                (below.other, childSteps.y) = (below.other + 1, childSteps.y + 1)
            case .strangerCounts: try count(1, in: stack)
            case .strangerCountsDown: try count(-1, in: stack)
            case .foreignerCounts: try count(1, in: foreigner)
            case .foreignerCountsDown: try count(-1, in: foreigner)
            case .parentFinds: _ = try Tally.find(in: parent)
            case .childFinds: _ = try Tally.find(in: child)
            case .parentHears: _ = try Tally.count(in: parent)
            case .childHears: _ = try Tally.count(in: child)
            case .parentRollsBack: rollBackParent()
            case .childRollsBack: rollBackChild()
            default: try handOn(step)
            }
        }

        private mutating func count(_ step: Int, in stack: ContextStack) throws {
            try stack.saveWithBlockAndWait { context in
                let tally = try #require(try Tally.findFirst(in: context))
                tally.count += step
                tally.other += step
            }
            stored &+= SIMD2(repeating: step)
        }

        private mutating func handOn(_ step: Step) throws {
            do {
                switch step {
                case .parentSaves:
                    try parent.saveAndWait()
                    (stored, parentSteps) = (stored &+ parentSteps, .zero)
                case .childSaves:
                    try child.saveAndWait()
                    (stored, parentSteps) = (stored &+ parentSteps &+ childSteps, .zero)
                    childSteps = .zero
                default:
                    try child.push()
                    (parentSteps, childSteps) = (parentSteps &+ childSteps, .zero)
                }
            } catch let error as RecordStackError where error.code == .conflict {
                conflicts += 1
                if step != .parentSaves { rollBackChild() }
                if step != .childPushes { rollBackParent() }
            }
        }

        private mutating func rollBackParent() {
            parent.rollback()
            parentSteps = .zero
        }

        private mutating func rollBackChild() {
            child.rollback()
            childSteps = .zero
        }

        /// Saves what is pending, and returns the stored numbers.
        mutating func finish() throws -> SIMD2<Int>? {
            try perform(.childSaves)
            try perform(.parentSaves)
            return try Tally.findFirst(in: stack.newContext()).map { SIMD2($0.count, $0.other) }
        }
    }

    @Test func `no sequence of four edits and saves loses an update`() throws {
        let test = try TestStack(for: Tally.self)
        try tryAll(Step.inOneStack, on: test.stack, test.stack)
    }

    @Test func `no four edits and saves of two stacks on one file lose an update`() throws {
        let test = try TestStack(
            entities: [Tally.self], at: .temporaryFile, options: .hearingOfNobody)
        let path = try #require(test.path)
        let foreigner = try ContextStack(
            for: Tally.self, at: .file(path), options: .hearingOfNobody)
        try tryAll(Step.inTwoStacks, on: test.stack, foreigner)
        try foreigner.close()
    }

    private func tryAll(
        _ steps: [Step], on stack: ContextStack, _ foreigner: ContextStack
    ) throws {
        var (conflicts, lost) = (0, [String]())
        for number in 0..<(steps.count * steps.count * steps.count * steps.count) {
            var (rest, sequence) = (number, [Step]())
            for _ in 0..<4 {
                sequence.append(steps[rest % steps.count])
                rest /= steps.count
            }
            let world = try run(sequence, on: stack, foreigner, &lost)
            conflicts += world.conflicts
        }
        #expect(lost.isEmpty, "\(lost.count) sequences: \(lost.prefix(5))")
        #expect(conflicts > 500)
    }

    @Test func `no long random sequence of edits and saves loses an update`() throws {
        let test = try TestStack(for: Tally.self)
        try tryAtRandom(Step.allCases, on: test.stack, test.stack)
    }

    @Test func `no long random edit sequence of two stacks on a file loses an update`() throws {
        let test = try TestStack(
            entities: [Tally.self], at: .temporaryFile, options: .hearingOfNobody)
        let path = try #require(test.path)
        let foreigner = try ContextStack(
            for: Tally.self, at: .file(path), options: .hearingOfNobody)
        try tryAtRandom(Step.allCases, on: test.stack, foreigner)
        try foreigner.close()
    }

    private func tryAtRandom(
        _ steps: [Step], on stack: ContextStack, _ foreigner: ContextStack
    ) throws {
        var random = Seeded.fromEnvironment()
        let seed = random.seed
        var (conflicts, lost) = (0, [String]())
        for _ in 0..<Seeded.rounds(400, full: 20_000) {
            let sequence = (0..<(6 + random.below(14))).map { _ in
                steps[random.below(steps.count)]
            }
            conflicts += try run(sequence, on: stack, foreigner, &lost).conflicts
        }
        #expect(lost.isEmpty, "seed \(seed), \(lost.count) sequences: \(lost.prefix(3))")
        #expect(conflicts > 50)
    }

    private func run(
        _ sequence: [Step], on stack: ContextStack, _ foreigner: ContextStack,
        _ lost: inout [String]
    ) throws -> World {
        var world = try World(stack, foreigner)
        for step in sequence { try world.perform(step) }
        let found = try world.finish()
        if found != world.stored {
            let names = sequence.map(\.rawValue)
            lost.append("\(names): \(found.map { "\($0)" } ?? "none") instead of \(world.stored)")
        }
        return world
    }
}
