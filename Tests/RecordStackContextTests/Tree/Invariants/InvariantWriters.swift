import Foundation
import Invariants
import RecordStack
import RecordStackTesting
import Synchronization
import TestSupport

/// A way in which an application reads and changes data. Many ways run at the same time.
enum InvariantWay: CaseIterable, Sendable {
    case block, context, actor, main, child, queue, jsonImport, batch, secondStack
}

/// The saves, conflicts and problems of all ways in one run.
final class InvariantTally: Sendable {
    private struct State {
        var saved: [InvariantWay: Int] = [:]
        var conflicts = 0
        var problems: [String] = []
    }

    private let state = Mutex(State())

    func save(_ way: InvariantWay) { state.withLock { $0.saved[way, default: 0] += 1 } }

    func conflict() { state.withLock { $0.conflicts += 1 } }

    func note(_ problems: [String], _ way: InvariantWay, _ when: String) {
        if problems.isEmpty { return }
        state.withLock { $0.problems += problems.map { "\(way), \(when): \($0)" } }
    }

    var saved: [InvariantWay: Int] { state.withLock { $0.saved } }
    var conflicts: Int { state.withLock { $0.conflicts } }
    var problems: [String] { state.withLock { $0.problems } }
}

/// One way at work on a stack.
struct InvariantWriter: Sendable {
    let way: InvariantWay
    let stack: ContextStack
    let tally: InvariantTally
    let isBesideOtherStack: Bool
    let seed: UInt64

    /// Performs steps until `count` of them are saved.
    func run(_ count: Int) async throws {
        var random = Seeded(seed: seed)
        switch way {
        case .context: try await run(count, in: stack.newContext(), &random)
        case .actor: try await InvariantActor(stack).run(self, count)
        case .main, .child: try await runOnMain(count)
        default:
            for _ in 0..<count {
                let step = InvariantStep(using: &random)
                try await untilSaved { try await perform(step) }
                try await look()
            }
        }
    }

    /// Repeats a step until its save succeeds.
    private func untilSaved(_ body: () async throws -> Void) async throws {
        while true {
            do {
                try await body()
                return tally.save(way)
            } catch let error as RecordStackError where Self.isToRetry(error) {
                tally.conflict()
            }
        }
    }

    /// True if a step can be repeated after the error. If another writer has taken a label
    /// meanwhile, the error is `constraint`.
    private static func isToRetry(_ error: RecordStackError) -> Bool {
        [.conflict, .busy, .constraint].contains(error.code)
    }

    private func perform(_ step: InvariantStep) async throws {
        switch way {
        case .queue:
            try await stack.newPrivateQueueContext().perform { context in
                try step.perform(in: context)
                try context.saveAndWait()
            }
        case .jsonImport: try await importRows(step)
        case .batch:
            let parity = step.amount % 2
            try await stack.update(Purse.where { $0.number % 2 == parity }) {
                $0.debit += 1
                $0.credit -= 1
            }

        default: try await stack.saveWithBlock { try step.perform(in: $0) }
        }
    }

    /// Imports two rows of JSON, each with a sum of 0. The values must not depend on earlier reads,
    /// because the context may merge another save between the two rows.
    private func importRows(_ step: InvariantStep) async throws {
        let (one, other) = step.pair(below: InvariantStore.purses)
        let amount = step.amount
        try await stack.saveWithBlock { context in
            let json = """
                [{"number": \(one), "debit": \(amount), "credit": \(-amount)},
                 {"number": \(other), "debit": \(-amount), "credit": \(amount)}]
                """
            _ = try Purse.importJSON(Data(json.utf8), in: context)
        }
    }

    private func look() async throws {
        let problems = try await stack.read { context in
            try InvariantView(in: context).problems()
        }
        tally.note(problems, way, "read")
    }

    /// Runs steps in one context, whose objects are also checked between operations.
    func run(
        _ count: Int, in context: ManagedObjectContext, _ random: inout Seeded,
        isolation: isolated (any Actor)? = #isolation
    ) async throws {
        for _ in 0..<count {
            let step = InvariantStep(using: &random)
            while true {
                do {
                    try step.perform(in: context)
                    try await context.save()
                    tally.save(way)
                    break
                } catch let error as RecordStackError
                    where Self.isToRetry(error)
                {
                    tally.conflict()
                    context.rollback()
                }
            }
            try await look(in: context)
        }
    }

    /// Checks the invariants in a context, at once and between two operations. Skips a context with
    /// unsaved changes, because a change in conflict can break the invariants.
    private func look(
        in context: ManagedObjectContext, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        if context.hasChanges || context.parent?.hasChanges == true { return }
        let view = try InvariantView(in: context)
        tally.note(view.problems(), way, "after an operation")
        await Task.yield()
        if context.hasChanges || context.parent?.hasChanges == true { return }
        // The rollback or save of another task may have dropped a list meanwhile.
        tally.note(
            view.problems(looksAtOrders: !isBesideOtherStack), way, "between operations")
    }

    @MainActor private func runOnMain(_ count: Int) async throws {
        var random = Seeded(seed: seed)
        let context = stack.defaultContext
        if way == .main { return try await run(count, in: context, &random) }
        for _ in 0..<count {
            let step = InvariantStep(using: &random)
            try await untilSaved { try await performInChild(step, of: context, &random) }
        }
    }

    /// Performs a step in a child, and then pushes it, saves it, or discards it and throws, so that
    /// the caller repeats it.
    @MainActor private func performInChild(
        _ step: InvariantStep, of context: ManagedObjectContext, _ random: inout Seeded
    ) async throws {
        let child = context.newChild()
        try await look(in: child)
        try step.perform(in: child)
        do {
            switch random.below(4) {
            case 0:
                try child.push()
                // Discards the pushed change.
                context.rollback()
                throw RecordStackError(.conflict, "The parent was rolled back.")
            case 1, 2:
                try child.push()
                try await context.save()
            default: try await child.save()
            }
        } catch {
            context.rollback()
            throw error
        }
    }
}

/// An actor that keeps a context.
actor InvariantActor {
    private let stack: ContextStack
    private lazy var context = stack.newContext(ownedBy: self)

    init(_ stack: ContextStack) { self.stack = stack }

    func run(_ writer: InvariantWriter, _ count: Int) async throws {
        var random = Seeded(seed: writer.seed)
        try await writer.run(count, in: context, &random)
    }
}
