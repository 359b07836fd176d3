import RecordStack
import RecordStackTesting
import TestSupport

/// A step of a sequence, which can be run again, as a whole or in part.
struct WorldStep: CustomStringConvertible {
    enum Kind: String, CaseIterable {
        case create, delete, spoke, crew, guarded, front, ring, pet, marks, row, friends, fans
        case ranked, code, width
        case save, saveChild, push, rollBack, rollBackChild, reopen
    }

    let kind: Kind
    /// Numbers that choose objects, directions and positions, modulo the number of choices.
    let a: Int
    let b: Int
    let c: Int

    /// - Parameter place: the index in the sequence. The first steps create objects to work with.
    static func random(_ random: inout Seeded, place: Int) -> WorldStep {
        func number() -> Int { Int(truncatingIfNeeded: random.next() >> 8) }
        let kind: Kind =
            switch place < 10 ? 0 : Int.random(in: 0..<100, using: &random) {
            case 0..<12: .create
            case 12..<25: .delete
            case 25..<33: .save
            case 33..<36: .saveChild
            case 36..<40: .push
            case 40..<42: .rollBack
            case 42..<44: .rollBackChild
            case 44..<45: .reopen
            default: relating.randomElement(using: &random)!
            }
        return WorldStep(kind: kind, a: number(), b: number(), c: number())
    }

    private static let relating: [Kind] = [
        .spoke, .spoke, .crew, .guarded, .front, .ring, .pet, .marks, .row, .row, .friends, .fans,
        .ranked, .ranked, .code, .code, .code, .width,
    ]

    var description: String { "\(kind)(\(a % 1_000), \(b % 1_000), \(c % 1_000))" }
}

/// Counts of the steps and outcomes of all sequences together.
struct WorldCoverage {
    private(set) var steps: [String: Int] = [:]
    private(set) var outcomes: [String: Int] = [:]

    mutating func note(step: WorldStep.Kind) { steps[step.rawValue, default: 0] += 1 }
    mutating func note(outcome: String) { outcomes[outcome, default: 0] += 1 }

    mutating func add(_ other: WorldCoverage) {
        steps.merge(other.steps, uniquingKeysWith: +)
        outcomes.merge(other.outcomes, uniquingKeysWith: +)
    }
}

struct WorldFailure: Error, CustomStringConvertible {
    let description: String
}

/// A run of a sequence in a context and its child, beside the plain model.
final class WorldRun {
    private let test: TestStack
    private var stack: ContextStack
    private var main: ManagedObjectContext
    private var child: ManagedObjectContext
    /// A context that changes nothing, and merges what the other contexts save.
    private var follower: ManagedObjectContext
    /// The models of the store, of the context, and of the child where it has changes.
    private var stored = PlainWorld()
    private var shown = PlainWorld()
    private var childShown: PlainWorld?
    /// True if the last save succeeded.
    private var isAllSaved = false
    private var number = 0
    private(set) var coverage = WorldCoverage()

    init() throws {
        test = try TestStack(
            for: Hub.self, Spoke.self, FatSpoke.self, Rider.self, Ring.self, Mark.self,
            at: .temporaryFile)
        stack = test.stack
        main = stack.newContext(name: "main")
        child = main.newChild()
        follower = stack.newContext(name: "follower")
    }

    func run(_ steps: [WorldStep]) throws {
        for step in steps {
            coverage.note(step: step.kind)
            do {
                try take(step)
                try check(after: step)
            } catch let failure as WorldFailure {
                throw failure
            } catch {
                throw WorldFailure(description: "\(step): \(error)")
            }
        }
        try stack.close()
    }

    private func take(_ step: WorldStep) throws {
        switch step.kind {
        case .save: try save(main)
        case .saveChild: try save(child)
        case .push: try push()
        case .rollBack:
            if childShown != nil { return }
            main.rollback()
            shown = stored
        case .rollBackChild:
            child.rollback()
            childShown = nil
        case .reopen: try reopen()
        default: try edit(step)
        }
    }

    /// Edits the child while it has changes, and never the context above. Another test covers how a
    /// child shows changes above its own.
    private func edit(_ step: WorldStep) throws {
        let isInChild = childShown != nil || step.c % 5 == 0
        var world = childShown ?? shown
        var editor = WorldEditor(context: isInChild ? child : main, number: number)
        let outcome = try editor.apply(step, to: &world)
        number = editor.number
        outcome.map { coverage.note(outcome: $0) }
        if isInChild { childShown = world } else { shown = world }
    }

    private func save(_ context: ManagedObjectContext) throws {
        isAllSaved = false
        if context === main && childShown != nil { return }
        let world = childShown ?? shown
        do {
            let isSaved = try waitedSave(context) != .noChanges
            if world.hasDoubleCode { throw WorldFailure(description: "a double code was saved") }
            (stored, shown, childShown, isAllSaved) = (world, world, nil, true)
            coverage.note(outcome: isSaved ? "saved" : "nothing to save")
        } catch let error as RecordStackError where error.code == .constraint {
            if !world.hasDoubleCode { throw error }
            coverage.note(outcome: "refused")
            try mend(in: context)
        }
    }

    /// Clears the codes that collide. A refused save changes nothing, and the next save needs no
    /// other fix.
    private func mend(in context: ManagedObjectContext) throws {
        var world = childShown ?? shown
        var seen: Set<Int> = []
        for number in world.numbers(.hub) {
            guard let code = world.codes[number], !seen.insert(code).inserted else { continue }
            world.codes[number] = nil
            try Hub.findFirst(by: \.number, number, in: context)?.code = nil
        }
        if context === child { childShown = world } else { shown = world }
    }

    private func push() throws {
        guard let world = childShown else { return }
        try child.push()
        (shown, childShown) = (world, nil)
    }

    private func reopen() throws {
        (shown, childShown) = (stored, nil)
        try stack.close()
        stack = try ContextStack(
            for: Hub.self, Spoke.self, FatSpoke.self, Rider.self, Ring.self, Mark.self,
            // A test stack in a file has a path.
            at: .file(test.path!))
        main = stack.newContext(name: "main")
        child = main.newChild()
        follower = stack.newContext(name: "follower")
    }

    private func check(after step: WorldStep) throws {
        try expect(main, shows: shown, step)
        try expect(child, shows: childShown ?? shown, step)
        try expect(follower, shows: stored, step)
        if step.kind == .save || step.kind == .saveChild {
            try expect(stack.newContext(name: "other"), shows: stored, step)
        }
        // A refused save may leave changes that the model does not have.
        if step.kind == .save && isAllSaved && main.hasChanges {
            throw WorldFailure(description: "after \(step), changes are left")
        }
    }

    private func expect(
        _ context: ManagedObjectContext, shows world: PlainWorld, _ step: WorldStep
    ) throws {
        let read = try WorldReader(context: context).read()
        if read == world { return }
        throw WorldFailure(
            description: "after \(step), \(context.name) shows \(read.differences(from: world))")
    }
}
