import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import Synchronization
import TestSupport
import Testing

/// Problems with saving that users of MagicalRecord reported. The tests show that they cannot
/// happen here. The numbers are those of issues at github.com/magicalpanda/MagicalRecord.
@MainActor
@Suite("Complaints about saving") struct SaveComplaintTests {
    private let test: TestStack
    private let context: ManagedObjectContext
    private var stack: ContextStack { test.stack }

    init() throws {
        test = try TestStack(for: Person.self, Team.self, at: .temporaryFile)
        context = test.stack.defaultContext
    }

    private func stored() throws -> [String] {
        try Person.snapshots(in: stack.newContext()).map { "\($0.email) \($0.name)" }
    }

    // MARK: Outcomes

    @Test func `#759, #921, #1243, #464, #170: saving nothing is not a failure`() async throws {
        #expect(try await context.save() == .noChanges)
        #expect(try waitedSave(context) == .noChanges)
        #expect(try await stack.saveWithBlock { _ in 7 } == 7)
        #expect(try await context.newChild().save() == .noChanges)
    }

    /// Records the result and the thread of each completion.
    private final class Calls: Sendable {
        private let made = Mutex<[(isMain: Bool, isSuccess: Bool)]>([])

        func add(_ result: Result<Void, any Error>) {
            let isMain = MainQueue.isCurrent
            made.withLock { $0.append((isMain, (try? result.get()) != nil)) }
        }

        var all: [(isMain: Bool, isSuccess: Bool)] { made.withLock { $0 } }
    }

    @Test
    func `#818, #755, #190, #191, #424: completions run once off the main thread`() async throws {
        let calls = Calls()
        stack.saveWithBlock { _ in
        } completion: {
            calls.add($0)
        }
        stack.saveWithBlock {
            try Person.create(in: $0, email: "ann")
            return ()
        } completion: {
            calls.add($0)
        }
        stack.saveWithBlock { _ in
            throw CocoaError(.fileNoSuchFile)
        } completion: {
            calls.add($0)
        }
        stack.saveWithBlock {
            // The email is unique and already taken.
            try Person.create(in: $0, email: "ann")
            return ()
        } completion: {
            calls.add($0)
        }
        // The stack runs this block after the four blocks above.
        try await stack.saveWithBlock { _ in }
        while calls.all.count < 4 { await Task.yield() }
        try closed(stack)
        #expect(calls.all.count == 4 && !calls.all.contains { $0.isMain })
        #expect(calls.all.count { $0.isSuccess } == 2)
    }

    private func closed(_ stack: ContextStack) throws { try stack.close() }

    @Test func `#685, #425: a failed save that a caller waits for throws its error`() async throws {
        try Team.create(in: context, title: "A")
        try Team.create(in: context, title: "A")
        let first = #expect(throws: RecordStackError.self) { try waitedSave(context) }
        #expect(first?.code == .constraint)
        let stack = stack
        let second = try waitedBlockError(stack) { _ = try Person.create(in: $0, email: "y") }
        #expect(second == nil)
        let third = try waitedBlockError(stack) { context in
            try Person.create(in: context, email: "x")
            try Person.create(in: context, email: "x")
        }
        #expect(third?.code == .constraint)
    }

    private func waitedBlockError(
        _ stack: ContextStack, _ block: sending (ManagedObjectContext) throws -> Void
    ) throws -> RecordStackError? {
        do {
            try stack.saveWithBlockAndWait(block)
            return nil
        } catch let error as RecordStackError {
            return error
        }
    }

    // MARK: Levels

    @Test func `#147: saving a clean child saves its dirty parent`() async throws {
        let child = context.newChild()
        try Person.create(in: context, email: "ann")
        #expect(try await child.save() == .saved(.inserting(1)))
        #expect(!context.hasChanges)
        #expect(try stored() == ["ann "])
    }

    @Test
    func `#1289, #476, #757, #848: saved changes and deletions reach the file`() async throws {
        for number in 0..<3 { try Person.create(in: context, email: "p\(number)") }
        try await context.save()
        #expect(try stored().count == 3)
        try Person.find(in: context)[0].delete()
        try await context.save()
        #expect(try Person.count(in: context) == 2 && stored().count == 2)
        try await stack.delete(Person.all)
        #expect(try Person.find(in: context).isEmpty && stored().isEmpty)
        let path = try #require(test.path)
        let reopened = try ContextStack(for: Person.self, Team.self, at: .file(path))
        #expect(try Person.count(in: reopened.newContext()) == 0)
        try reopened.close()
    }

    @Test func `#1289: a child of root cannot push, and a push writes nothing`() throws {
        let error = #expect(throws: RecordStackError.self) { try context.push() }
        #expect(error?.code == .misuse && error?.message.contains("Save it instead") == true)
        let child = context.newChild()
        try Person.create(in: child, email: "ann")
        try child.push()
        #expect(context.hasChanges)
        #expect(try stored().isEmpty)
    }

    @Test
    func `#1002, #959, #656, #184, #546: save blocks of savingRoot see no edits`() async throws {
        let ann = try Person.create(in: context, email: "ann")
        let id = ann.objectID
        let error = await #expect(throws: RecordStackError.self) {
            try await stack.saveWithBlock { try Person.existing(id, in: $0).name = "lost" }
        }
        #expect(error?.code == .notFound && ann.name == "" && context.hasChanges)
        let other = #expect(throws: RecordStackError.self) { try ann.in(stack.newContext()) }
        #expect(other?.message.contains("new and not saved") == true)
        try await context.save()
        try await stack.saveWithBlock { try Person.existing(id, in: $0).name = "found" }
        #expect(ann.name == "found")
    }

    @Test
    func `#738: a save block inside another throws at once instead of hanging`() async throws {
        let stack = stack
        let error = await #expect(throws: RecordStackError.self) {
            try await stack.saveWithBlock { context in
                try Person.create(in: context, email: "outer")
                try stack.saveWithBlockAndWait { _ = try Person.create(in: $0, email: "inner") }
            }
        }
        #expect(error?.code == .misuse && error?.message.contains("inside a save block") == true)
        #expect(try stored().isEmpty)
        // The outer block does the work in its own context instead.
        try await stack.saveWithBlock { context in
            try Person.create(in: context, email: "outer")
            try Self.help(in: context)
        }
        #expect(try stored() == ["outer ", "helped "])
    }

    private nonisolated static func help(in context: ManagedObjectContext) throws {
        try Person.create(in: context, email: "helped")
    }

    @Test
    func `#683, ParcelKit #27, summit-app #73: a failed save succeeds once fixed`() async throws {
        try await stack.saveWithBlock { _ = try Team.create(in: $0, title: "taken") }
        let (child, grandchild) = { ($0, $0.newChild()) }(context.newChild())
        let team = try Team.create(in: grandchild, title: "taken")
        for _ in 0..<3 {
            await #expect(throws: RecordStackError.self) { try await grandchild.save() }
            #expect(grandchild.hasChanges && !child.hasChanges && !context.hasChanges)
            // Another block and the parent save meanwhile.
            try await stack.saveWithBlock { _ = try Person.create(in: $0, email: "\(UUID())") }
            try Person.create(in: context, email: "\(UUID())")
            try await context.save()
        }
        team.title = "free"
        #expect(try await grandchild.save() == .saved(.inserting(1)))
        #expect(try Team.count(in: context) == 2)
        #expect(try Person.count(in: stack.newContext()) == 6)
    }
}
