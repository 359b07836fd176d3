import Testing

/// A way into a context that is not the caller's: a call with a block that is lent `context`.
struct Door: Sendable, CustomTestStringConvertible {
    let name: String
    /// The call up to the block's first statement.
    let opening: String
    let closing: String
    /// The waiting forms are for synchronous code alone.
    let isAsync: Bool

    var testDescription: String { name }

    /// A program that does something before the door, behind it, and afterwards.
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

    /// What lends a context without saving it.
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
