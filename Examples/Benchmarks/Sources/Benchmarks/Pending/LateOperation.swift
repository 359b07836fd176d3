import Foundation
import RecordStack

/// An operation of the default context after another thread has saved.
///
/// The context holds items, and the main actor was busy during the saves.
@MainActor final class LateOperation {
    private let stack: ContextStack
    private let held: [Item]
    /// The weights that the items must have.
    private var weights: [Int]

    init(_ stack: ContextStack, held count: Int) throws {
        self.stack = stack
        held = try Item.find(limit: count, in: stack.defaultContext)
        weights = held.map(\.weight)
        guard held.count == count else { throw Failure("there are not enough items") }
    }

    /// Returns the time of the operation in nanoseconds.
    ///
    /// - Parameter saves: the number of rows that each save changes, from the first row on. Beyond
    ///   20,000 rows, the stack keeps only the last save.
    func time(afterSaving saves: [Int]) throws -> Double {
        for rows in saves {
            for index in weights.indices.prefix(rows) { weights[index] += 1 }
        }
        try Self.save(saves, in: stack)
        let code = ItemPlace.code(0)
        let clock = ContinuousClock()
        let start = clock.now
        let found = try Item.findFirst(in: stack.defaultContext) { $0.code == code }
        let duration = clock.now - start
        guard found === held[0], held.map(\.weight) == weights else {
            throw Failure("the default context does not show what was saved")
        }
        return duration / .nanoseconds(1)
    }

    /// Saves on another thread. The main actor waits, and has no turn in which it could merge.
    private nonisolated static func save(_ saves: [Int], in stack: ContextStack) throws {
        let ended = DispatchSemaphore(value: 0)
        // `nonisolated(unsafe)`: the thread writes it before the signal, and this function reads it
        // after the signal.
        nonisolated(unsafe) var result = Result<Void, any Error>.success(())
        Thread.detachNewThread {
            result = Result {
                for rows in saves {
                    try stack.saveWithBlockAndWait { context in
                        for item in try Item.find(limit: rows, in: context) { item.weight += 1 }
                    }
                }
            }
            ended.signal()
        }
        ended.wait()
        try result.get()
    }
}

/// The time of one operation after saves.
final class LateRun: Contender {
    let name: String
    private let operation: LateOperation
    private let saves: [Int]

    init(_ name: String, _ operation: LateOperation, saves: [Int]) {
        self.name = name
        self.operation = operation
        self.saves = saves
    }

    func run() async throws { _ = try await measure() }
    func measure() async throws -> Double { try await operation.time(afterSaving: saves) }

    // Each run checks the values that the context shows.
    func fingerprint() async throws -> Fingerprint {
        try await run()
        return Fingerprint()
    }
}
