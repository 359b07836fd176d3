import Dispatch
import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import Synchronization
import Testing

/// Changes that the main actor makes in one turn. Save blocks see and save them together.
@MainActor @Suite("Main-actor code and save blocks", .serialized) struct NestedTurnTests {
    private func prepare(
        _ architecture: StackArchitecture, turnLimit: Double = 300
    ) async throws -> (HeldBlocks, Consignment, Consignment) {
        let held = try HeldBlocks(architecture, Consignment.self, turnLimit: turnLimit)
        let one = try Consignment.create(in: held.context, number: 1, weight: 100, price: 0)
        let other = try Consignment.create(in: held.context, number: 2, weight: 0, price: 0)
        try await held.context.save()
        return (held, one, other)
    }

    private nonisolated static func weights(in context: ManagedObjectContext) throws -> [Int] {
        try Consignment.find(sortedBy: .ascending(\.number), in: context).map(\.weight)
    }

    private nonisolated static func onAnotherThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) throws -> Value {
        let outcome = Outcome<Value>()
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            outcome.result.withLock { $0 = Result { try body() } }
            done.signal()
        }
        done.wait()
        return try #require(outcome.result.withLock { $0 }).get()
    }

    private final class Outcome<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `a nested stack's block sees no edits of main-actor code still running`(
        architecture: StackArchitecture
    ) async throws {
        let (held, one, other) = try await prepare(architecture)
        let stack = held.stack
        func move() throws -> [Int] {
            one.weight -= 40
            #expect(try Consignment.count(in: held.context) == 2)
            // The main thread waits for the block, and its turn does not end meanwhile.
            let seen = try Self.onAnotherThread {
                try stack.saveWithBlockAndWait { try Self.weights(in: $0) }
            }
            other.weight += 40
            return seen
        }
        #expect(try move() == [100, 0])
        #expect(try await stack.read { try Self.weights(in: $0) } == [100, 0])
        try await held.context.save()
        #expect(try await stack.read { try Self.weights(in: $0) } == [60, 40])
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `a nested stack's awaited block sees edits made until its caller awaits`(
        architecture: StackArchitecture
    ) async throws {
        let (held, one, other) = try await prepare(architecture)
        let stack = held.stack
        func move() throws -> Task<[Int], any Error> {
            one.weight -= 40
            #expect(try Consignment.count(in: held.context) == 2)
            let block = Task.detached {
                try await stack.saveWithBlock { try Self.weights(in: $0) }
            }
            // The block does not begin while the main actor's turn lasts.
            Thread.sleep(forTimeInterval: 0.05)
            other.weight += 40
            return block
        }
        #expect(try await move().value == [60, 40])
        #expect(try await stack.read { try Self.weights(in: $0) } == [60, 40])
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `a nested stack's awaited block runs while the main thread waits for it`(
        architecture: StackArchitecture
    ) async throws {
        let (held, one, other) = try await prepare(architecture, turnLimit: 0.2)
        let stack = held.stack
        func move() throws -> [Int]? {
            one.weight -= 40
            #expect(try Consignment.count(in: held.context) == 2)
            let outcome = Outcome<[Int]>()
            let done = DispatchSemaphore(value: 0)
            Task.detached {
                let seen = try await stack.saveWithBlock { try Self.weights(in: $0) }
                outcome.result.withLock { $0 = .success(seen) }
                done.signal()
            }
            #expect(done.wait(timeout: .now() + 30) == .success)
            other.weight += 40
            return try outcome.result.withLock { try $0?.get() }
        }
        #expect(try move() == [100, 0])
        try await held.context.save()
        #expect(try await stack.read { try Self.weights(in: $0) } == [60, 40])
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `a nested stack's block shows no unsaved edit if one is in conflict`(
        architecture: StackArchitecture
    ) async throws {
        let (held, one, other) = try await prepare(architecture)
        one.weight -= 40
        other.weight += 40
        let elsewhere = held.stack.newPrivateQueueContext()
        try await elsewhere.perform { context in
            try #require(try Consignment.findFirst(by: \.number, 1, in: context)).weight = 90
            try context.saveAndWait()
        }
        let seen = try await held.stack.saveWithBlock { context in
            try Consignment.create(in: context, number: 3, weight: 7, price: 0)
            return try Self.weights(in: context)
        }
        #expect(seen == [90, 0, 7])
        #expect(try await held.stack.read { try Self.weights(in: $0) } == [90, 0, 7])
        #expect(other.weight == 40 && held.context.hasChanges)
        let error = await #expect(throws: RecordStackError.self) { try await held.context.save() }
        #expect(error?.code == .conflict && error?.conflicts.map(\.objectID) == [one.objectID])
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `a nested stack's block conflicts if values it changed are rolled back`(
        architecture: StackArchitecture
    ) async throws {
        let (held, one, other) = try await prepare(architecture)
        one.weight -= 40
        other.weight += 40
        let error = await #expect(throws: RecordStackError.self) {
            try await held.whileRunning { context in
                try #require(try Consignment.findFirst(by: \.number, 1, in: context)).weight += 1
            } edit: {
                held.context.rollback()
            }
        }
        #expect(error?.code == .conflict)
        #expect(try await held.stack.read { try Self.weights(in: $0) } == [100, 0])
        #expect(one.weight == 100 && other.weight == 0 && !held.context.hasChanges)
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `a nested stack's next block shows a value set back during a save`(
        architecture: StackArchitecture
    ) async throws {
        let (held, one, other) = try await prepare(architecture)
        one.weight -= 40
        other.weight += 40
        let seen = try await held.whileHeld {
            one.weight += 40
            other.weight -= 41
            try Consignment.create(in: held.context, number: 3, weight: 1, price: 0)
        } thenBlock: { context in
            try #require(try Consignment.findFirst(by: \.number, 3, in: context)).price = 9
            return try Self.weights(in: context)
        }
        #expect(seen == [100, -1, 1])
        #expect(try await held.stack.read { try Self.weights(in: $0) } == [100, -1, 1])
        #expect(one.weight == 100 && other.weight == -1)
        #expect(try Consignment.count(in: held.context) == 3 && !held.context.hasChanges)
    }

    @Test(arguments: NestedBlockTests.nesting, [false, true])
    func `a nested stack's block conflicts if a save replaces a value it changed`(
        architecture: StackArchitecture, isOtherFirst: Bool
    ) async throws {
        let (held, one, other) = try await prepare(architecture)
        let third = try Consignment.create(in: held.context, number: 0, weight: 0, price: 0)
        try await held.context.save()
        if isOtherFirst { third.weight -= 1 }
        one.weight -= 40
        other.weight += 40
        let elsewhere = held.stack.newPrivateQueueContext()
        let error = await #expect(throws: RecordStackError.self) {
            try await held.whileRunning { context in
                try #require(try Consignment.findFirst(by: \.number, 1, in: context)).weight += 1
                try #require(try Consignment.findFirst(by: \.number, 0, in: context)).price += 1
            } edit: {
                try await elsewhere.perform { context in
                    let one = try Consignment.findFirst(by: \.number, 1, in: context)
                    try #require(one).weight = 90
                    try context.saveAndWait()
                }
                _ = try Consignment.count(in: held.context)
            }
        }
        #expect(error?.code == .conflict)
        #expect(try await held.stack.read { try Self.weights(in: $0) } == [0, 90, 0])
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `a block's changes stay visible while a nested stack's next block saves`(
        architecture: StackArchitecture
    ) async throws {
        let (held, one, other) = try await prepare(architecture)
        let (stack, context) = (held.stack, held.context)
        one.weight -= 40
        other.weight += 40
        let (isSaved, mayHear) = (
            AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream()
        )
        let first = Task {
            try await context.withMergingSuspended {
                try await stack.saveWithBlock { context in
                    let rows = try Consignment.find(
                        sortedBy: .ascending(\.number), in: context)
                    rows[0].weight += 1
                    rows[1].weight -= 1
                }
                isSaved.continuation.finish()
                for await _ in mayHear.stream {}
            }
        }
        for await _ in isSaved.stream {}
        try await held.whileHeld { context in
            try Consignment.create(in: context, number: 3, weight: 0, price: 0)
        } edit: {
            mayHear.continuation.finish()
            try await first.value
            #expect(try Consignment.count(in: context) == 2)
            #expect(one.weight == 61 && other.weight == 39 && !context.hasChanges)
        }
    }
}
