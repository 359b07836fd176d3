extension Refusal {
    /// Calls from code that must not make them.
    static let verbs = [
        Refusal(
            "the default context is used away from the main actor",
            refused: """
                func program(_ stack: ContextStack) throws {
                    print(try Person.count(in: stack.defaultContext)) // refused
                }
                """,
            accepted: """
                @MainActor func program(_ stack: ContextStack) throws {
                    print(try Person.count(in: stack.defaultContext))
                }
                """,
            message: "main actor-isolated property 'defaultContext' can not be referenced"),
        Refusal(
            "a finder without in: is called away from the main actor",
            refused: """
                func program() throws {
                    print(try Person.exists { $0.age >= 18 }) // refused
                }
                """,
            accepted: """
                @MainActor func program() throws {
                    print(try Person.exists { $0.age >= 18 })
                }
                """,
            message: "call to main actor-isolated static method 'exists(matching:where:)'"),
        Refusal(
            "what a finder without in: has found leaves the main actor",
            refused: """
                func program() async throws {
                    print(try await Person.find()) // refused
                }
                """,
            accepted: """
                func program() async throws {
                    print(try await Person.count())
                }
                """,
            message: "non-Sendable '[Person]'-typed result can not be returned"),
        Refusal(
            "#773, #407: an object is created without in: inside a save block",
            refused: """
                @MainActor func program(_ stack: ContextStack) async throws {
                    try await stack.saveWithBlock { context in
                        _ = try Person.create() // refused
                    }
                }
                """,
            accepted: """
                @MainActor func program(_ stack: ContextStack) async throws {
                    try await stack.saveWithBlock { context in
                        _ = try Person.create(in: context)
                    }
                }
                """,
            message: "call to main actor-isolated static method 'create()'"),
        Refusal(
            "async code waits for a save block",
            refused: """
                func program(_ stack: ContextStack) async throws {
                    try stack.saveWithBlockAndWait { _ in } // refused
                }
                """,
            accepted: """
                func program(_ stack: ContextStack) async throws {
                    try await stack.saveWithBlock { _ in }
                }
                """,
            message: "Use saveWithBlock, which does not block the thread."),
        Refusal(
            "async code waits for a context's save block",
            refused: """
                func program(_ context: ManagedObjectContext) async throws {
                    try context.saveWithBlockAndWait { _ in } // refused
                }
                """,
            accepted: """
                func program(_ context: ManagedObjectContext) async throws {
                    try await context.saveWithBlock { _ in }
                }
                """,
            message: "Use saveWithBlock, which does not block the thread."),
        Refusal(
            "async code waits for a room",
            refused: """
                func program(_ room: PrivateQueueContext) async throws {
                    try room.performAndWait { _ in } // refused
                }
                """,
            accepted: """
                func program(_ room: PrivateQueueContext) async throws {
                    try await room.perform { _ in }
                }
                """,
            message: "Use perform, which does not block the thread."),
        Refusal(
            "async code waits for a save",
            refused: """
                func program(_ context: ManagedObjectContext) async throws {
                    try context.saveAndWait() // refused
                }
                """,
            accepted: """
                func program(_ context: ManagedObjectContext) async throws {
                    try await context.save()
                }
                """,
            message: "Use save(), which does not block the thread."),
        Refusal(
            "a save block awaits",
            refused: """
                func program(_ stack: ContextStack) async throws {
                    try await stack.saveWithBlock { _ in // refused
                        await Task.yield()
                    }
                }
                """,
            accepted: """
                func program(_ stack: ContextStack) async throws {
                    await Task.yield()
                    try await stack.saveWithBlock { _ in }
                }
                """,
            message: "to parameter expecting synchronous function type"),
        Refusal(
            "a block that was handed over is used again",
            refused: """
                final class Counter { var count = 0 }
                func program(_ stack: ContextStack) {
                    let counter = Counter()
                    let block = { (_: ManagedObjectContext) in counter.count += 1 }
                    stack.saveWithBlock(block) { _ in } // refused
                    stack.saveWithBlock(block) { _ in }
                }
                """,
            accepted: """
                final class Counter { var count = 0 }
                func program(_ stack: ContextStack) {
                    let counter = Counter()
                    let block = { (_: ManagedObjectContext) in counter.count += 1 }
                    stack.saveWithBlock(block) { _ in }
                }
                """,
            message: "sending 'block' risks causing data races"),
        Refusal(
            "a block of the main actor's is called elsewhere",
            refused: """
                @MainActor func work(_ context: ManagedObjectContext) throws {}
                func program(_ stack: ContextStack) async throws {
                    try await stack.saveWithBlock(work) // refused
                }
                """,
            accepted: """
                func work(_ context: ManagedObjectContext) throws {}
                func program(_ stack: ContextStack) async throws {
                    try await stack.saveWithBlock(work)
                }
                """,
            message: "loses global actor 'MainActor'"),
    ]
}
