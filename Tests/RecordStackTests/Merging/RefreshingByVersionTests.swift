import Dispatch
import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import Synchronization
import TestSupport
import Testing

/// Contexts that have missed more saves than the commit log keeps. They compare the versions of
/// their objects.
@MainActor @Suite("Refreshing by version") struct RefreshingByVersionTests {
    /// More saves of two objects than the commit log keeps. Each save counts as eleven rows.
    private nonisolated static let saves = 2_100

    @Test(arguments: [(1_000, 1), (saves, 3)])
    func `the commit log keeps a bounded number of small saves for a context`(
        count: Int, statements: Int
    ) throws {
        let (test, berth, harbour) = try stored()
        let context = test.stack.defaultContext
        try saveMuch(count, in: test.stack)
        let before = context.statistics.statements
        #expect(try Berth.count(in: context) == 1)
        #expect(berth.count == count && harbour.name == "\(count)")
        // One statement for the request, and past the bound one for each entity that has held
        // objects.
        #expect(context.statistics.statements - before == statements)
    }

    @Test func `after findFirst(by:), objects show saves that the commit log dropped`() throws {
        let (test, berth, harbour) = try stored()
        let context = test.stack.defaultContext
        try saveMuch(in: test.stack)
        #expect(try Harbour.findFirst(by: \.name, "none", in: context) == nil)
        #expect(berth.count == Self.saves && harbour.name == "\(Self.saves)")
    }

    @Test func `a context shows all saves even if two of its refreshes overlap`() async throws {
        let (first, second) = (Gate(), Gate())
        defer {
            first.openForGood()
            second.openForGood()
        }
        var options = StoreOptions()
        options.observer = {
            first.observe($0)
            second.observe($0)
        }
        let test = try TestStack(
            entities: [Berth.self, Harbour.self, Buoy.self], at: .temporaryFile, options: options)
        let context = test.stack.defaultContext
        let berth = try Berth.create(in: context, number: 1)
        let harbour = try Harbour.create(in: context, name: "h")
        try await context.save()

        // Another thread reads the rows of one entity, and is held before the other entity.
        try saveMuch(in: test.stack)
        first.close(at: "SELECT", after: 1)
        await first.waitUntilHeld()
        #expect(try Berth.count(in: context) == 1)
        #expect(berth.count == Self.saves)

        // A second refresh, for the saves since, is held in the same way.
        try saveMuch(in: test.stack)
        second.close(at: "SELECT", after: 1)
        await second.waitUntilHeld()
        first.open()
        try await Task.sleep(for: .milliseconds(50))
        second.open()
        for _ in 0..<200 where berth.count < 2 * Self.saves {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(berth.count == 2 * Self.saves)
        #expect(harbour.name == "\(2 * Self.saves)")
    }

    /// Returns a stack whose default context holds a berth and a harbour.
    private func stored() throws -> (TestStack, Berth, Harbour) {
        let test = try TestStack(
            entities: [Berth.self, Harbour.self, Buoy.self], at: .temporaryFile)
        let context = test.stack.defaultContext
        let berth = try Berth.create(in: context, number: 1)
        let harbour = try Harbour.create(in: context, name: "h")
        try context.saveAndWait()
        return (test, berth, harbour)
    }

    /// Saves more than the commit log keeps, while the main actor does nothing else.
    private func saveMuch(_ count: Int = saves, in stack: ContextStack) throws {
        let result = Mutex<Result<Void, any Error>?>(nil)
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let saved = Result { try Self.saveMuch(count, in: stack.newContext()) }
            result.withLock { $0 = saved }
            done.signal()
        }
        done.wait()
        try result.withLock { try #require($0) }.get()
    }

    private nonisolated static func saveMuch(
        _ count: Int, in context: ManagedObjectContext
    ) throws {
        let berth = try #require(try Berth.findFirst(in: context))
        let harbour = try #require(try Harbour.findFirst(in: context))
        for _ in 0..<count {
            berth.count += 1
            harbour.name = "\(berth.count)"
            try context.saveAndWait()
        }
        // The last save is in the commit log, and changes neither of the two objects.
        try Buoy.create(in: context, name: "\(berth.count)")
        try context.saveAndWait()
    }
}
