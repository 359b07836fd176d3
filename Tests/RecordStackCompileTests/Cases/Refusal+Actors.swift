extension Refusal {
    /// Leaks between actors, and leaks of contexts that are handed over.
    static let actors = [
        Refusal(
            "an object leaves its actor",
            refused: """
                actor Clerk {
                    let context: ManagedObjectContext
                    init(_ stack: ContextStack) { context = stack.newContext() }
                    func first() throws -> Person? { try Person.findFirst(in: context) }
                }
                func program(_ clerk: Clerk) async throws {
                    print(try await clerk.first() as Any) // refused
                }
                """,
            accepted: """
                actor Clerk {
                    let context: ManagedObjectContext
                    init(_ stack: ContextStack) { context = stack.newContext() }
                    func first() throws -> Snapshot<Person>? {
                        try Person.findFirst(in: context)?.snapshot
                    }
                }
                func program(_ clerk: Clerk) async throws {
                    print(try await clerk.first() as Any)
                }
                """,
            message: "non-Sendable 'Person?'-typed result can not be returned from actor-isolated"),
        Refusal(
            "an actor's context leaves it",
            refused: """
                actor Clerk {
                    let context: ManagedObjectContext
                    init(_ stack: ContextStack) { context = stack.newContext() }
                }
                func program(_ clerk: Clerk) async {
                    print(await clerk.context.name) // refused
                }
                """,
            accepted: """
                actor Clerk {
                    let context: ManagedObjectContext
                    init(_ stack: ContextStack) { context = stack.newContext() }
                    var name: String { context.name }
                }
                func program(_ clerk: Clerk) async {
                    print(await clerk.name)
                }
                """,
            message: "non-Sendable type 'ManagedObjectContext' of property 'context' cannot exit"),
        Refusal(
            "an object goes from one actor to another",
            refused: """
                actor Clerk {
                    let context: ManagedObjectContext
                    init(_ stack: ContextStack) { context = stack.newContext() }
                    func take(_ person: Person) {}
                    func pass(to other: Clerk) async throws {
                        await other.take(try Person.findFirst(in: context)!) // refused
                    }
                }
                """,
            accepted: """
                actor Clerk {
                    let context: ManagedObjectContext
                    init(_ stack: ContextStack) { context = stack.newContext() }
                    func take(_ person: ManagedObjectID) {}
                    func pass(to other: Clerk) async throws {
                        await other.take(try Person.findFirst(in: context)!.objectID)
                    }
                }
                """,
            message: "sending value of non-Sendable type 'Person' risks causing data races"),
        Refusal(
            "an object of the main actor goes to an actor",
            refused: """
                actor Clerk { func take(_ person: Person) {} }
                @MainActor func program(_ clerk: Clerk, _ ann: Person) async {
                    await clerk.take(ann) // refused
                }
                """,
            accepted: """
                actor Clerk { func take(_ person: ManagedObjectID) {} }
                @MainActor func program(_ clerk: Clerk, _ ann: Person) async {
                    await clerk.take(ann.objectID)
                }
                """,
            message: "sending 'ann' risks causing data races"),
        Refusal(
            "an actor's object is used in a save block",
            refused: """
                actor Clerk {
                    let context: ManagedObjectContext
                    init(_ stack: ContextStack) { context = stack.newContext() }
                    func rename(_ stack: ContextStack) async throws {
                        let ann = try Person.findFirst(in: context)!
                        try await stack.saveWithBlock { _ in ann.name = "Ann" } // refused
                    }
                }
                """,
            accepted: """
                actor Clerk {
                    let context: ManagedObjectContext
                    init(_ stack: ContextStack) { context = stack.newContext() }
                    func rename(_ stack: ContextStack) async throws {
                        let ann = try Person.findFirst(in: context)!
                        ann.name = "Ann"
                        try await context.save()
                    }
                }
                """,
            message: "risks causing data races between 'self'-isolated code"),
        Refusal(
            "a context is used after it was handed over",
            refused: """
                actor Clerk { func take(_ context: sending ManagedObjectContext) {} }
                func program(_ stack: ContextStack, _ clerk: Clerk) async {
                    let context = stack.newContext()
                    await clerk.take(context) // refused
                    print(context.name)
                }
                """,
            accepted: """
                actor Clerk { func take(_ context: sending ManagedObjectContext) {} }
                func program(_ stack: ContextStack, _ clerk: Clerk) async {
                    let context = stack.newContext()
                    print(context.name)
                    await clerk.take(context)
                }
                """,
            message: "sending 'context' risks causing data races"),
        Refusal(
            "an object is used after its context was handed over",
            refused: """
                actor Clerk { func take(_ context: sending ManagedObjectContext) {} }
                func program(_ stack: ContextStack, _ clerk: Clerk) async throws {
                    let context = stack.newContext()
                    let ann = try Person.create(in: context, email: "a")
                    await clerk.take(context) // refused
                    print(ann.name)
                }
                """,
            accepted: """
                actor Clerk { func take(_ context: sending ManagedObjectContext) {} }
                func program(_ stack: ContextStack, _ clerk: Clerk) async throws {
                    let context = stack.newContext()
                    let ann = try Person.create(in: context, email: "a").objectID
                    await clerk.take(context)
                    print(ann)
                }
                """,
            message: "sending 'context' risks causing data races"),
        Refusal(
            "a context is used after its child was handed over",
            refused: """
                func program(_ stack: ContextStack) {
                    let context = stack.newContext()
                    let child = context.newChild()
                    Task.detached { print(child.name) } // refused
                    print(context.name)
                }
                """,
            accepted: """
                func program(_ stack: ContextStack) {
                    let context = stack.newContext()
                    let child = context.newChild()
                    Task.detached { print(child.name, context.name) }
                }
                """,
            message: "risks causing data races"),
        Refusal(
            "a fault handler holds an object",
            refused: """
                @MainActor func program(_ stack: ContextStack, _ ann: Person) {
                    let context = stack.newContext()
                    context.faultHandler = { _ in print(ann.name) } // refused
                }
                """,
            accepted: """
                @MainActor func program(_ stack: ContextStack, _ ann: Person) {
                    let context = stack.newContext()
                    context.faultHandler = { error in print(error) }
                    Task.detached { print(context.name) }
                }
                """,
            message: "capture of 'ann' with non-Sendable type 'Person'"),
        Refusal(
            "an object that was related to one of the main actor's is handed over",
            refused: """
                @MainActor func program(_ stack: ContextStack, _ team: Team) throws {
                    let ann = try Person.create(in: stack.newContext(), email: "a")
                    ann.team = team
                    Task.detached { print(ann.name) } // refused
                }
                """,
            accepted: """
                @MainActor func program(_ stack: ContextStack, _ team: Team) throws {
                    let ann = try Person.create(in: stack.newContext(), email: "a")
                    Task.detached { print(ann.name) }
                }
                """,
            message: "risks causing data races between main actor-isolated code"),
    ]
}
