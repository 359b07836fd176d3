import Dispatch
import RecordStack
import RecordStackModel
import RecordStackTesting
import Synchronization
import TestSupport
import Testing

/// Stacks, their save blocks and their private queue contexts.
@Suite("Stacks") struct StackTests {
    private func isMisuse(_ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            return false
        } catch {
            return (error as? RecordStackError)?.code == .misuse
        }
    }

    @Test func `fifty stacks in use at once do not interfere`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<50 {
                group.addTask {
                    let test = try TestStack(
                        for: Person.self, at: index % 2 == 0 ? .memory : .temporaryFile)
                    for round in 0..<10 {
                        try await test.stack.saveWithBlock { context in
                            _ = try Person.create(in: context, email: "\(index) \(round)")
                        }
                    }
                    let emails = try await test.stack.read {
                        try Person.find(in: $0).map(\.email)
                    }
                    #expect(emails == (0..<10).map { "\(index) \($0)" })
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `a save block that throws saves nothing`() async throws {
        struct Stop: Error {}
        let test = try TestStack(for: Person.self)
        await #expect(throws: Stop.self) {
            try await test.stack.saveWithBlock { context in
                try Person.create(in: context, email: "ann")
                throw Stop()
            }
        }
        #expect(try await test.stack.read { try Person.count(in: $0) } == 0)
    }

    @Test func `save blocks run one at a time, in order`() async throws {
        let test = try TestStack(for: Person.self)
        let order = Mutex<[Int]>([])
        let group = DispatchGroup()
        for index in 0..<100 {
            group.enter()
            test.stack.saveWithBlock { context in
                _ = try Person.create(in: context, email: "\(index)")
            } completion: { _ in
                group.leave()
            }
            order.withLock { $0.append(index) }
        }
        await withCheckedContinuation { continuation in
            group.notify(queue: DispatchQueue(label: "end")) { continuation.resume() }
        }
        let emails = try await test.stack.read { try Person.find(in: $0).map(\.email) }
        #expect(emails == (0..<100).map(String.init))
    }

    @Test func `a save block's completion is called once, with the block's result`() async throws {
        let test = try TestStack(for: Person.self)
        let value: Int = try await withCheckedThrowingContinuation { continuation in
            test.stack.saveWithBlock { context in
                try Person.create(in: context, email: "ann")
                return 42
            } completion: {
                continuation.resume(with: $0)
            }
        }
        #expect(value == 42)
        #expect(try await test.stack.read { try Person.count(in: $0) } == 1)
    }

    @Test func `a save block inside a save block throws misuse`() async throws {
        let test = try TestStack(for: Person.self)
        let stack = test.stack
        #expect(
            await isMisuse {
                try await stack.saveWithBlock { _ in try stack.saveWithBlockAndWait { _ in } }
            })
        #expect(
            await isMisuse {
                try await stack.saveWithBlock { context in try context.saveWithBlockAndWait { _ in }
                }
            })
        #expect(await isMisuse { try await stack.saveWithBlock { _ in try stack.close() } })
        let inner: Result<Void, any Error> = await withCheckedContinuation { continuation in
            stack.saveWithBlock { _ in
                stack.saveWithBlock { _ in
                } completion: {
                    continuation.resume(returning: $0)
                }
            } completion: { _ in
            }
        }
        #expect(throws: RecordStackError.self) { try inner.get() }
        try await stack.saveWithBlock { _ = try Person.create(in: $0, email: "still works") }
    }

    @Test func `a save inside a block is kept when the block throws later`() async throws {
        struct Stop: Error {}
        let test = try TestStack(for: Person.self)
        await #expect(throws: Stop.self) {
            try await test.stack.saveWithBlock { context in
                try Person.create(in: context, email: "ann")
                try context.saveAndWait()
                try Person.create(in: context, email: "bob")
                throw Stop()
            }
        }
        #expect(try await test.stack.read { try Person.find(in: $0).map(\.email) } == ["ann"])
    }

    @Test func `private queue contexts that wait in a circle throw misuse`() async throws {
        let test = try TestStack(for: Person.self)
        let a = test.stack.newPrivateQueueContext(name: "a")
        let b = test.stack.newPrivateQueueContext(name: "b")
        #expect(
            await isMisuse {
                try await a.perform { _ in
                    try b.performAndWait { _ in try a.performAndWait { _ in } }
                }
            })
        #expect(await isMisuse { try await a.perform { _ in try a.performAndWait { _ in } } })
        let count = try await a.perform { _ in try b.performAndWait { try Person.count(in: $0) } }
        #expect(count == 0)
    }

    @Test func `private queue contexts that wait for each other never hang`() async throws {
        let test = try TestStack(for: Person.self)
        let rooms = (0..<4).map { test.stack.newPrivateQueueContext(name: "room \($0)") }
        await withTaskGroup(of: Bool.self) { group in
            for index in 0..<200 {
                group.addTask {
                    let (first, second) = (rooms[index % 4], rooms[(index * 7 + 1) % 4])
                    do {
                        try await first.perform { _ in
                            try second.performAndWait { try Person.count(in: $0) }
                        }
                        return true
                    } catch {
                        #expect((error as? RecordStackError)?.code == .misuse)
                        return false
                    }
                }
            }
            var successes = 0
            for await isSuccess in group where isSuccess { successes += 1 }
            #expect(successes > 0)
        }
    }

    @Test func `a private queue context keeps its changes until it is saved`() async throws {
        let test = try TestStack(for: Person.self)
        let room = test.stack.newPrivateQueueContext()
        try await room.perform { _ = try Person.create(in: $0, email: "ann") }
        #expect(try await test.stack.read { try Person.count(in: $0) } == 0)
        try await room.perform { context in
            #expect(context.hasChanges)
            try context.saveAndWait()
        }
        #expect(try await test.stack.read { try Person.count(in: $0) } == 1)
    }

    @Test func `the root context gives each block a new child and keeps no changes`() async throws {
        let test = try TestStack(for: Person.self)
        try await test.stack.rootSavingContext.perform {
            _ = try Person.create(in: $0, email: "ann")
        }
        #expect(try await test.stack.rootSavingContext.perform { try Person.count(in: $0) } == 0)
        try await test.stack.rootSavingContext.perform { context in
            try Person.create(in: context, email: "ann")
            try context.saveAndWait()
        }
        #expect(try await test.stack.rootSavingContext.perform { try Person.count(in: $0) } == 1)
    }

    @Test func `close waits for pending save blocks, and later calls throw closed`() async throws {
        let test = try TestStack(for: Person.self, at: .temporaryFile)
        let path = try #require(test.path)
        let stack = test.stack
        let context = stack.newContext()
        let ann = try Person.create(in: context, email: "ann")
        let room = stack.newPrivateQueueContext()
        try await room.perform { _ = try Person.count(in: $0) }
        let called = Mutex(0)
        for index in 0..<20 {
            stack.saveWithBlock {
                _ = try Person.create(in: $0, email: "\(index)")
            } completion: { _ in
                called.withLock { $0 += 1 }
            }
        }
        try stack.close()
        #expect(called.withLock { $0 } == 20)
        try stack.close()
        func isClosed(_ body: () async throws -> Void) async -> Bool {
            do {
                try await body()
                return false
            } catch {
                return (error as? RecordStackError)?.code == .closed
            }
        }
        #expect(await isClosed { try await stack.saveWithBlock { _ in } })
        #expect(await isClosed { _ = try await stack.read { try Person.count(in: $0) } })
        #expect(await isClosed { try await context.save() })
        #expect(await isClosed { _ = try Person.find(in: context) })
        #expect(await isClosed { try Person.create(in: context, email: "eve") })
        #expect(await isClosed { try await room.perform { _ in } })
        #expect(await isClosed { try await stack.rootSavingContext.perform { _ in } })
        #expect(ann.email == "ann")
        #expect(try ForeignProgram(path: path).rows("SELECT count(*) FROM Person") == [["20"]])
    }

    @Test func `reading from a closed stack throws closed`() async throws {
        let test = try TestStack(for: Person.self)
        try test.stack.close()
        let error = await #expect(throws: RecordStackError.self) {
            try await test.stack.read { _ in }
        }
        #expect(error?.code == .closed)
    }

    @Test func `blocking saves on several threads are all written`() async throws {
        let test = try TestStack(for: Person.self, at: .temporaryFile)
        let stack = test.stack
        await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    let context = stack.newContext()
                    for round in 0..<100 {
                        _ = try? Person.create(in: context, email: "\(thread) \(round)")
                        _ = try? waitedSave(context)
                    }
                }
            }
        }
        #expect(try Person.count(in: stack.newContext()) == 400)
    }

    /// A checkpoint cannot pass a reader, but saves do not wait for the reader each time.
    @Test func `only a few of 60 saves try a checkpoint during another program's read`()
        async throws
    {
        var options = StoreOptions()
        options.checkpointPages = 4
        options.busyTimeout = 30
        let test = try TestStack(entities: [Person.self], at: .temporaryFile, options: options)
        let other = try ForeignProgram(path: #require(test.path))
        try other.run("BEGIN")
        _ = try other.rows("SELECT count(*) FROM Person")
        for round in 0..<60 {
            try await test.stack.saveWithBlock { context in
                try Person.create(in: context, email: "\(round)").objectID
            }
        }
        let checkpoints = test.recorder.events.count {
            if case .checkpoint = $0 { true } else { false }
        }
        #expect((1...12).contains(checkpoints), "\(checkpoints)")
        try other.run("COMMIT")
    }

    @Test func `closing a stack from inside its own blocks throws misuse`() async throws {
        let test = try TestStack(for: Person.self)
        let stack = test.stack
        #expect(await isMisuse { try await stack.read { _ in try stack.close() } })
        #expect(
            await isMisuse { try await stack.rootSavingContext.perform { _ in try stack.close() } })
        let room = stack.newPrivateQueueContext()
        #expect(await isMisuse { try await room.perform { _ in try stack.close() } })
        let result: Result<Void, any Error> = await withCheckedContinuation { continuation in
            stack.saveWithBlock { _ in
            } completion: { _ in
                continuation.resume(returning: Result { try stack.close() })
            }
        }
        #expect(throws: RecordStackError.self) { try result.get() }
        try stack.close()
    }

    @MainActor
    @Test func `calls without a context use the default stack's default context`() async throws {
        #expect(throws: RecordStackError.self) { try Person.find() }
        let test = try TestStack(for: Person.self)
        try ContextStack.withDefault(test.stack) {
            try Person.create().email = "ann"
            #expect(try Person.count() == 1)
            #expect(try Person.findFirst(by: \.email, "ann") != nil)
            #expect(try Person.exists { $0.email == "ann" })
            #expect(try Person.page(1, size: 10).total == 1)
            #expect(try Person.findFirst()?.managedObjectContext === test.stack.defaultContext)
        }
    }
}
