import Dispatch
import RecordStack
import RecordStackTesting
import TestSupport

/// A stack whose save blocks work on the default context's changes and can be held before their
/// COMMIT.
@MainActor final class HeldBlocks {
    let stack: ContextStack
    private let gate = Gate()
    private let test: TestStack

    /// - Parameter turnLimit: the seconds that a block waits for the main actor's turn. In a test
    /// run, the main actor is busy with other tests.
    init(
        _ architecture: StackArchitecture, _ entities: ManagedObject.Type...,
        turnLimit: Double = 300
    ) throws {
        var options = gate.options
        options.watching.turnLimit = turnLimit
        test = try TestStack(
            entities: entities, at: .temporaryFile, architecture: architecture, options: options)
        stack = test.stack
    }

    deinit { gate.openForGood() }

    var context: ManagedObjectContext { stack.defaultContext }

    /// Edits while a block is held before its COMMIT. The block saves what was changed until now.
    func whileHeld(
        _ block: @escaping @Sendable (ManagedObjectContext) throws -> Void = { _ in },
        edit: () async throws -> Void
    ) async throws {
        let held = await hold(block)
        do { try await edit() } catch {
            gate.open()
            throw error
        }
        gate.open()
        try await held.value
    }

    /// Edits as ``whileHeld(_:edit:)`` does, and waits for a second block. The main thread waits
    /// all the time, and merges the first block's save after that of the second.
    func whileHeld<Value: Sendable>(
        edit: () throws -> Void, thenBlock block: @Sendable (ManagedObjectContext) throws -> Value
    ) async throws -> Value {
        let held = await hold { _ in }
        try edit()
        let value = try runNext(block)
        try await held.value
        return value
    }

    /// Edits while a block, which has taken over what was changed until now, is still running.
    func whileRunning(
        _ block: @escaping @Sendable (ManagedObjectContext) throws -> Void = { _ in },
        edit: () async throws -> Void
    ) async throws {
        let barrier = Barrier()
        let running = Task { [stack] in
            try await stack.saveWithBlock { context in
                try block(context)
                barrier.pass()
            }
        }
        await barrier.arrival()
        defer { barrier.open() }
        try await edit()
        barrier.open()
        try await running.value
    }

    private func hold(
        _ block: @escaping @Sendable (ManagedObjectContext) throws -> Void
    ) async -> Task<Void, any Error> {
        gate.close(at: "COMMIT")
        let held = Task { [stack, gate] in
            // If the block has failed before the gate, nothing must wait for it there.
            defer { gate.discard() }
            try await stack.saveWithBlock { try block($0) }
        }
        await gate.waitUntilHeld()
        return held
    }

    private func runNext<Value: Sendable>(
        _ block: @Sendable (ManagedObjectContext) throws -> Value
    ) throws -> Value {
        DispatchQueue(label: "opening").asyncAfter(deadline: .now() + 0.02) { [gate] in
            gate.open()
        }
        return try stack.saveWithBlockAndWait { try block($0) }
    }
}
