extension Refusal {
    /// Leaks that Swift 6.3 lets through a `sending` parameter.
    ///
    /// If an isolated function becomes a plain function in its own isolation, the compiler forgets
    /// who may call it. These cases show when a fix of Swift or of the library closes the holes.
    static let holes = [
        Refusal(
            "a closure marked as the main actor's is a save block",
            refused: """
                @MainActor static var kept: ManagedObjectContext?
                @MainActor func program(_ stack: ContextStack) async throws {
                    try await stack.saveWithBlock { @MainActor context in // refused
                        Self.kept = context
                    }
                }
                """,
            accepted: """
                @MainActor func program(_ stack: ContextStack) async throws {
                    try await stack.saveWithBlock { context in
                        print(context.name)
                    }
                }
                """,
            message: "MainActor"),
        Refusal(
            "a method of the main actor's is a save block",
            refused: """
                @MainActor final class Keeper {
                    var kept: ManagedObjectContext?
                    func keep(_ context: ManagedObjectContext) { kept = context }
                    func program(_ stack: ContextStack) async throws {
                        try await stack.saveWithBlock(keep) // refused
                    }
                }
                """,
            accepted: """
                @MainActor final class Keeper {
                    nonisolated func look(_ context: ManagedObjectContext) {}
                    func program(_ stack: ContextStack) async throws {
                        try await stack.saveWithBlock(look)
                    }
                }
                """,
            message: "MainActor"),
        Refusal(
            "a method of an actor is a save block",
            refused: """
                actor Keeper {
                    var kept: ManagedObjectContext?
                    func keep(_ context: ManagedObjectContext) { kept = context }
                    func program(_ stack: ContextStack) async throws {
                        try await stack.saveWithBlock(keep) // refused
                    }
                }
                """,
            accepted: """
                actor Keeper {
                    nonisolated func look(_ context: ManagedObjectContext) {}
                    func program(_ stack: ContextStack) async throws {
                        try await stack.saveWithBlock(look)
                    }
                }
                """,
            message: "risks causing data races"),
    ]
}
