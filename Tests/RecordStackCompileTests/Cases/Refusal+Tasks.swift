extension Refusal {
    /// Leaks out of the main actor into other tasks and threads.
    static let tasks = [
        Refusal(
            "an object of the default context goes into a detached task",
            refused: """
                @MainActor func program(_ stack: ContextStack) throws {
                    let ann = try Person.findFirst(in: stack.defaultContext)!
                    Task.detached { print(ann.name) } // refused
                }
                """,
            accepted: """
                @MainActor func program(_ stack: ContextStack) throws {
                    let ann = try Person.findFirst(in: stack.defaultContext)!
                    Task { print(ann.name) }
                }
                """,
            message: "risks causing data races between main actor-isolated code"),
        Refusal(
            "the default context goes into a detached task",
            refused: """
                @MainActor func program(_ stack: ContextStack) {
                    let context = stack.defaultContext
                    Task.detached { print(context.name) } // refused
                }
                """,
            accepted: """
                @MainActor func program(_ stack: ContextStack) {
                    Task.detached { print(await MainActor.run { stack.defaultContext.name }) }
                }
                """,
            message: "risks causing data races between main actor-isolated code"),
        Refusal(
            "an object goes into a child task",
            refused: """
                func greet(_ person: Person) {}
                @MainActor func program(_ ann: Person) async {
                    async let greeting: Void = greet(ann) // refused
                    await greeting
                }
                """,
            accepted: """
                func greet(_ person: Snapshot<Person>) {}
                @MainActor func program(_ ann: Person) async throws {
                    let snapshot = try ann.snapshot
                    async let greeting: Void = greet(snapshot)
                    await greeting
                }
                """,
            message: "sending 'ann' risks causing data races"),
        Refusal(
            "an object goes into a task group",
            refused: """
                @MainActor func program(_ ann: Person) async {
                    await withTaskGroup { group in
                        group.addTask { print(ann.name) } // refused
                    }
                }
                """,
            accepted: """
                @MainActor func program(_ ann: Person) async {
                    let name = ann.name
                    await withTaskGroup { group in
                        group.addTask { print(name) }
                    }
                }
                """,
            message: "risks causing data races"),
        Refusal(
            "an object goes to a queue", importing: ["Dispatch"],
            refused: """
                @MainActor func program(_ ann: Person) {
                    DispatchQueue.global().async { print(ann.name) } // refused
                }
                """,
            accepted: """
                @MainActor func program(_ ann: Person) {
                    let name = ann.name
                    DispatchQueue.global().async { print(name) }
                }
                """,
            message: "capture of 'ann' with non-Sendable type 'Person'"),
        Refusal(
            "an object goes to a concurrent function",
            refused: """
                @concurrent func greet(_ person: Person) async {}
                @MainActor func program(_ ann: Person) async {
                    await greet(ann) // refused
                }
                """,
            accepted: """
                nonisolated(nonsending) func greet(_ person: Person) async {}
                @MainActor func program(_ ann: Person) async {
                    await greet(ann)
                }
                """,
            message: "sending 'ann' risks causing data races"),
        Refusal(
            "a completion uses an object of the default context",
            refused: """
                @MainActor func program(_ stack: ContextStack, _ ann: Person) {
                    stack.saveWithBlock({ _ in 1 }) { _ in
                        print(ann.name) // refused
                    }
                }
                """,
            accepted: """
                @MainActor func program(_ stack: ContextStack, _ ann: Person) {
                    let name = ann.name
                    stack.saveWithBlock({ _ in 1 }) { _ in
                        print(name)
                    }
                }
                """,
            message: "capture of 'ann' with non-Sendable type 'Person'"),
        Refusal(
            "an object leaves MainActor.run",
            refused: """
                func program(_ stack: ContextStack) async throws {
                    let value = try await MainActor.run { // refused
                        try Person.findFirst(in: stack.defaultContext)
                    }
                    print(value)
                }
                """,
            accepted: """
                func program(_ stack: ContextStack) async throws {
                    let value = try await MainActor.run {
                        try Person.findFirst(in: stack.defaultContext)?.snapshot
                    }
                    print(value)
                }
                """,
            message: "Pass its objectID or snapshot."),
        Refusal(
            "an entity's method hands itself to a task",
            refused: """
                @Entity final class Pet: ManagedObject {
                    @Attribute var name: String
                    func greet() {
                        Task { print(self.name) } // refused
                    }
                }
                """,
            accepted: """
                @Entity final class Pet: ManagedObject {
                    @Attribute var name: String
                    func greet() {
                        let name = name
                        Task { print(name) }
                    }
                }
                """,
            message: "risks causing data races"),
    ]
}
