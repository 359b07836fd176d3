import Testing

/// A call whose block gets a context of another isolation, named `context`.
struct Door: Sendable, CustomTestStringConvertible {
    let name: String
    /// The call up to the first statement of the block.
    let opening: String
    let closing: String
    /// True for an async call. Only synchronous code may use the blocking calls.
    let isAsync: Bool

    var testDescription: String { name }

    /// Returns a program with steps before the call, inside its block, and after it.
    func program(
        isolation: String, before: String, inside: String, after: String, isRefusedHere: Bool
    ) -> String {
        """
        \(isolation) func program(
            _ stack: ContextStack, _ room: PrivateQueueContext, _ parent: ManagedObjectContext
        ) \(isAsync ? "async " : "")throws {
            \(before)
            \(opening) \(isRefusedHere ? Program.refusedMark : "")
                \(inside)
            \(closing)
            \(after)
        }
        """
    }
}

extension Door {
    static let all = saveBlocks + childSaveBlocks + rooms

    /// Save blocks of a stack.
    static let saveBlocks = [
        Door(
            name: "stack.saveWithBlock", opening: "try await stack.saveWithBlock { context in",
            closing: "}", isAsync: true),
        Door(
            name: "stack.saveWithBlock(.durable)",
            opening: "try await stack.saveWithBlock(.durable) { context in", closing: "}",
            isAsync: true),
        Door(
            name: "stack.saveWithBlockAndWait",
            opening: "try stack.saveWithBlockAndWait { context in", closing: "}", isAsync: false),
        Door(
            name: "stack.saveWithBlock(_:completion:)",
            opening: "stack.saveWithBlock({ context in", closing: "}) { print($0) }",
            isAsync: false),
    ]

    /// Save blocks of a context.
    static let childSaveBlocks = [
        Door(
            name: "context.saveWithBlock", opening: "try await parent.saveWithBlock { context in",
            closing: "}", isAsync: true),
        Door(
            name: "context.saveWithBlockAndWait",
            opening: "try parent.saveWithBlockAndWait { context in", closing: "}", isAsync: false),
        Door(
            name: "context.saveWithBlockAndWait(.durable)",
            opening: "try parent.saveWithBlockAndWait(.durable) { context in", closing: "}",
            isAsync: false),
        Door(
            name: "context.saveWithBlock(_:completion:)",
            opening: "parent.saveWithBlock({ context in", closing: "}) { print($0) }",
            isAsync: false),
    ]

    /// Calls that lend a context without saving it.
    static let rooms = [
        Door(
            name: "perform", opening: "try await room.perform { context in", closing: "}",
            isAsync: true),
        Door(
            name: "performAndWait", opening: "try room.performAndWait { context in", closing: "}",
            isAsync: false),
        Door(
            name: "stack.read", opening: "try await stack.read { context in", closing: "}",
            isAsync: true),
    ]
}
