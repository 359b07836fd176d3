import Foundation
import Invariants
import RecordStack
import RecordStackTesting
import Synchronization
import TestSupport

/// A way in which an application changes and reads, many of which run at the same time.
enum InvariantWay: CaseIterable, Sendable {
    case block, context, actor, main, child, queue, jsonImport, batch, secondStack
}

/// What the ways of one run have done and seen.
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
    let knownIssues: InvariantView.KnownIssues
    let seed: UInt64

    /// Performs steps until so many are saved.
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

    /// Tries a step again that was a conflict.
    private func untilSaved(_ body: () async throws -> Void) async throws {
        while true {
            do {
                try await body()
                return tally.save(way)
            } catch let error as RecordStackError where [.conflict, .busy].contains(error.code) {
                tally.conflict()
            }
        }
    }

    private func perform(_ step: InvariantStep) async throws {
        switch way {
        case .queue:
            try await stack.newPrivateQueueContext().perform { context in
                try step.perform(in: context)
                try context.saveAndWait()
            }
        case .jsonImport: try await importBalances(step)
        case .batch:
            let parity = step.amount % 2
            try await stack.update(
                Purse.self,
                set: {
                    $0.debit += 1
                    $0.credit -= 1
                }) { $0.number % 2 == parity }
        default: try await stack.saveWithBlock { try step.perform(in: $0) }
        }
    }

    /// A payment as two rows of JSON.
    private func importBalances(_ step: InvariantStep) async throws {
        let (from, to) = step.pair(below: InvariantStore.purses)
        let amount = step.amount
        try await stack.saveWithBlock { context in
            guard let a = try Purse.findFirst(by: \.number, from, in: context),
                let b = try Purse.findFirst(by: \.number, to, in: context)
            else { return }
            let json = """
                [{"number": \(from), "balance": \(a.balance - amount)},
                 {"number": \(to), "balance": \(b.balance + amount)}]
                """
            _ = try Purse.importJSON(Data(json.utf8), in: context)
        }
    }

    private func look() async throws {
        let knownIssues = knownIssues
        let problems = try await stack.read { context in
            try InvariantView(in: context).problems(without: knownIssues)
        }
        tally.note(problems, way, "read")
    }

    /// Steps in a context that lives as long as all of them: what it holds is looked at between operations, too.
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
                    where [.conflict, .busy].contains(error.code)
                {
                    tally.conflict()
                    context.rollback()
                }
            }
            let view = try InvariantView(in: context)
            tally.note(view.problems(without: knownIssues), way, "after an operation")
            await Task.yield()
            tally.note(view.problems(without: knownIssues), way, "between operations")
        }
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

    /// A step in a child, which is pushed, saved, or dropped and done again.
    @MainActor private func performInChild(
        _ step: InvariantStep, of context: ManagedObjectContext, _ random: inout Seeded
    ) async throws {
        let child = context.newChild()
        try step.perform(in: child)
        let view = try InvariantView(in: child)
        tally.note(view.problems(without: knownIssues), way, "in a child")
        await Task.yield()
        tally.note(view.problems(without: knownIssues), way, "in a child, between operations")
        do {
            switch random.below(4) {
            case 0:
                try child.push()
                // Given up after all.
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
