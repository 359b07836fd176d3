import CSQLite
import Forking
import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// A child process that goes on with its parent's stack. It gets an error and harms nothing.
///
/// The thread sanitizer cannot fork while other threads run, because its child would wait for its
/// locks.
@Suite(
    "Forked processes",
    .enabled(if: ProcessInfo.processInfo.environment["RECORDSTACK_SANITIZER"] != "thread"))
struct ForkTests {
    private final class Body {
        let run: () throws -> Void
        init(_ run: @escaping () throws -> Void) { self.run = run }
    }

    /// The outcome of a body in a forked child.
    private enum Ending: Int32 {
        case forked, otherError, otherCode, noError
    }

    private func inChild(_ body: @escaping () throws -> Void) -> Ending? {
        for _ in 0..<5 {
            if let ending = inOneChild(body) { return ending }
        }
        return nil
    }

    /// - Returns: nil if a signal ended the child. That may be the alarm: the child has only one of
    /// this process's many threads, and another thread may have held a lock of the Swift runtime.
    private func inOneChild(_ body: @escaping () throws -> Void) -> Ending? {
        let body = Body(body)
        // The child runs while this call waits, with a copy of everything.
        let status = forking_run(
            { context in
                guard let context else { return Ending.otherError.rawValue }
                let body = Unmanaged<Body>.fromOpaque(context).takeUnretainedValue()
                do {
                    try body.run()
                    return Ending.noError.rawValue
                } catch let error as RecordStackError {
                    let isForked =
                        error.code == .misuse && error.message.contains("posix_spawn")
                    return (isForked ? Ending.forked : .otherCode).rawValue
                } catch {
                    return Ending.otherError.rawValue
                }
            }, Unmanaged.passUnretained(body).toOpaque())
        withExtendedLifetime(body) {}
        return Ending(rawValue: status)
    }

    private func expectForked(
        _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: @escaping () throws -> Void
    ) {
        #expect(inChild(body) == .forked, what, sourceLocation: sourceLocation)
    }

    @Test func `opening many stacks at once raises no false alarm about a fork`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<200 { try ContextStack(for: Team.self, at: .inMemory).close() }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(arguments: [TestStack.Location.temporaryFile, .memory])
    func `every call on a stack in a forked child throws misuse`(
        location: TestStack.Location
    ) throws {
        let test = try TestStack(for: Person.self, at: location)
        let stack = test.stack
        try savePeople(3, in: stack)
        let context = stack.newContext()
        let person = try #require(try Person.findFirst(by: \.email, "p0", in: context))
        person.name = "unsaved"
        expectForked("find") { _ = try Person.find(in: context) }
        expectForked("count") { _ = try Person.count(in: context) }
        expectForked("find by value") {
            _ = try Person.findFirst(by: \.email, "p2", in: stack.newContext())
        }
        expectForked("save") { try context.saveAndWait() }
        expectForked("save block") { try savePeople(1, in: stack) }
        expectForked("create") {
            // Keys that are leased already are given out, and the save throws.
            let context = stack.newContext()
            for index in 0..<1_000 { try Person.create(in: context, email: "new\(index)") }
        }
        expectForked("close") { try stack.close() }
        expectForked("size") { _ = try stack.storeSize }
        if let path = test.path {
            expectForked("a stack of its own on a file whose locks it has a copy of") {
                _ = try ContextStack(for: Person.self, at: .file(path))
            }
            expectForked("removal") { try ContextStack.destroyStore(at: .file(path)) }
        }
        // The parent's stack is unharmed.
        try context.saveAndWait()
        try savePeople(1, in: stack)
        #expect(try peopleCount(stack) == 4)
    }

    @Test func `a forked child that releases its stack changes no file`() throws {
        let folder = try TemporaryFolder("fork")
        // Looking for others' saves takes a slot among the readers, which is noted in a file.
        var stack: ContextStack? = try ContextStack(
            for: Person.self, at: .file(folder.file("a.sqlite")), options: .hearingOfNobody)
        try savePeople(3, in: try #require(stack))
        let before = try folder.contents()
        #expect(inChild { stack = nil } == .noError)
        #expect(try folder.contents() == before)
        try savePeople(1, in: try #require(stack))
        #expect(try peopleCount(try #require(stack)) == 4)
        try stack?.close()
    }

    @Test func `a forked process can release its stack if a SQLite lock stays locked`() throws {
        var stack: ContextStack? = try ContextStack(for: Person.self, at: .inMemory)
        try savePeople(3, in: try #require(stack))
        // The lock that every allocation of SQLite takes.
        let lock = sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_MEM)
        sqlite3_mutex_enter(lock)
        let ending = inOneChild { stack = nil }
        sqlite3_mutex_leave(lock)
        #expect(ending == .noError)
    }
}
