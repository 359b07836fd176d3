import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Contexts and objects that are used outside of their isolation.
///
/// The compiler refuses most of these uses in Swift 6 mode, so a program in Swift 5 mode makes
/// them.
@Suite("Concurrency debugging") struct ConcurrencyDebugTests {
    /// Runs one of the program's leaks.
    /// - Returns: the output, and whether the program went on.
    private func run(
        _ leak: String, environment: [String: String] = [:]
    ) throws -> (output: String, wentOn: Bool) {
        let folder = try TemporaryFolder("leaks")
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(fileURLWithPath: own).deletingLastPathComponent()
            .appendingPathComponent("SwiftFiveClient").path
        let path = folder.file("output")
        let output = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try #require(output >= 0)
        defer { close(output) }
        // Symbols are not looked up, because that takes seconds for each crash.
        let process = try SpawnedProcess(
            program, [leak], output: output, errors: output,
            variables: ["SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 })
        let wentOn = process.wait().status == 0
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("went on") == wentOn, "\(leak): \(text)")
        return (text, wentOn)
    }

    /// The words that the message must contain about the owner and the user of the context.
    private static let leaks: [(leak: String, names: [String])] = [
        (
            "context of the main actor",
            ["“default” (default → root)", "belongs to the main actor", "by the queue “stranger”"]
        ),
        ("creating", ["belongs to the main actor", "by the queue “stranger”"]),
        (
            "child of the main actor's",
            ["“form” (form → default → root)", "the main actor", "the queue “stranger”"]
        ),
        ("changes of the main actor", ["belongs to the main actor", "by the queue “stranger”"]),
        ("fault of the main actor", ["belongs to the main actor", "by the queue “stranger”"]),
        ("object that is written", ["belongs to the main actor", "by the queue “stranger”"]),
        ("members", ["belongs to the main actor", "by the queue “stranger”"]),
        (
            "context of an actor",
            ["“archived”", "belongs to the actor Archive", "by the queue “stranger”"]
        ),
        (
            "context of an actor on the main actor",
            ["belongs to the actor Archive", "used by the main actor", "the actor's own methods"]
        ),
        (
            "context of an actor in another one",
            ["belongs to the actor Archive", "used by the actor Reader"]
        ),
        (
            "context of an actor in a task",
            ["belongs to the actor Archive", "used by the task “wanderer”"]
        ),
        ("object of an actor", ["belongs to the actor Archive", "used by the main actor"]),
        (
            "context of a queue",
            ["the queue “background”, none of whose blocks runs now", "used by the main actor"]
        ),
        (
            "context of a queue while it is busy",
            ["belongs to the queue “background”, and", "used by the queue “stranger”"]
        ),
        (
            "context of a save block",
            ["the block “save block”, which has ended", "used by the main actor"]
        ),
        ("context of a read", ["the block “read”, which has ended", "used by the main actor"]),
        (
            "context in two places",
            [
                "“shared” (shared → root)", "in two places at once", "by the queue “first”",
                "by the queue “second”", "newContext(ownedBy:)",
            ]
        ),
    ]

    @Test(arguments: 0..<leaks.count)
    func `using a context outside its isolation stops the program`(number: Int) throws {
        let (leak, names) = Self.leaks[number]
        let (output, wentOn) = try run(leak)
        #expect(!wentOn)
        #expect(output.contains("ConcurrencyDebug: the context “"))
        for name in names { #expect(output.contains(name), "\(leak): \(output)") }
    }

    @Test func `allowed uses of contexts do not stop the program`() throws {
        #expect(try run("what is allowed").wentOn)
    }

    @Test func `RECORDSTACK_CONCURRENCY_DEBUG=0 turns the isolation checks off`() throws {
        let off = ["RECORDSTACK_CONCURRENCY_DEBUG": "0"]
        #expect(try run("context of the main actor", environment: off).wentOn)
        #expect(try run("context of a save block", environment: off).wentOn)
    }

    @Test func `option concurrencyDebug overrides environment and build configuration`()
        async throws
    {
        await #expect(processExitsWith: .success) {
            try await Self.countElsewhere(concurrencyDebug: false)
        }
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            setenv("RECORDSTACK_CONCURRENCY_DEBUG", "0", 1)
            try await Self.countElsewhere(concurrencyDebug: true)
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("belongs to the main actor"))
    }

    /// Uses the default context away from the main actor.
    private static func countElsewhere(concurrencyDebug: Bool) async throws {
        var options = StoreOptions()
        options.watching.concurrencyDebug = concurrencyDebug
        let stack = try ContextStack(entities: [Person.self], at: .inMemory, options: options)
        let bag = await Bag(stack)
        try await Task.detached { _ = try Person.count(in: bag.context) }.value
    }

    /// A deliberate mistake, which lets other isolations use a context.
    private final class Bag: Sendable {
        nonisolated(unsafe) let context: ManagedObjectContext

        @MainActor init(_ stack: ContextStack) { context = stack.defaultContext }
    }
}
