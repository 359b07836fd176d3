extension Refusal {
    /// Places other than a variable in which a block must not keep an object or its context.
    static let keeping = [
        Refusal(
            "objects are kept in an array",
            refused: """
                func program(_ stack: ContextStack) throws {
                    var people: [Person] = []
                    try stack.saveWithBlockAndWait { context in // refused
                        people.append(try Person.create(in: context, email: "a"))
                    }
                    print(people[0].name)
                }
                """,
            accepted: """
                func program(_ stack: ContextStack) throws {
                    var people: [ManagedObjectID] = []
                    try stack.saveWithBlockAndWait { context in
                        people.append(try Person.create(in: context, email: "a").objectID)
                    }
                    print(people[0])
                }
                """,
            message: "risks causing data races"),
        Refusal(
            "an object is kept in another object",
            refused: """
                final class Box { var person: Person? }
                func program(_ stack: ContextStack) async throws {
                    let box = Box()
                    try await stack.saveWithBlock { context in // refused
                        box.person = try Person.create(in: context, email: "a")
                    }
                    print(box.person!.name)
                }
                """,
            accepted: """
                final class Box { var person: Person? }
                func program(_ stack: ContextStack) async throws {
                    try await stack.saveWithBlock { context in
                        let box = Box()
                        box.person = try Person.create(in: context, email: "a")
                        print(box.person!.name)
                    }
                }
                """,
            message: "risks causing data races"),
        Refusal(
            "an object is kept in a property of self",
            refused: """
                final class Box {
                    var person: Person?
                    func keep(_ stack: ContextStack) throws {
                        try stack.saveWithBlockAndWait { context in // refused
                            self.person = try Person.create(in: context, email: "a")
                        }
                    }
                }
                """,
            accepted: """
                final class Box {
                    var person: ManagedObjectID?
                    func keep(_ stack: ContextStack) throws {
                        self.person = try stack.saveWithBlockAndWait { context in
                            try Person.create(in: context, email: "a").objectID
                        }
                    }
                }
                """,
            message: "risks causing data races"),
        Refusal(
            "an object is kept in a property of an actor",
            refused: """
                actor Clerk {
                    var person: Person?
                    func keep(_ stack: ContextStack) async throws {
                        try await stack.saveWithBlock { context in
                            self.person = try Person.create(in: context, email: "a") // refused
                        }
                    }
                }
                """,
            accepted: """
                actor Clerk {
                    var person: ManagedObjectID?
                    func keep(_ stack: ContextStack) async throws {
                        self.person = try await stack.saveWithBlock { context in
                            try Person.create(in: context, email: "a").objectID
                        }
                    }
                }
                """,
            message: "actor-isolated property 'person' can not be mutated"),
        Refusal(
            "an object is kept in a variable of the main actor",
            refused: """
                @MainActor static var kept: Person?
                @MainActor func program(_ room: PrivateQueueContext) async throws {
                    try await room.perform { context in
                        Self.kept = try Person.findFirst(in: context) // refused
                    }
                }
                """,
            accepted: """
                @MainActor static var kept: Snapshot<Person>?
                @MainActor func program(_ room: PrivateQueueContext) async throws {
                    Self.kept = try await room.perform { context in
                        try Person.findFirst(in: context)?.snapshot
                    }
                }
                """,
            message: "can not be mutated from a nonisolated context"),
        Refusal(
            "an object is kept in a global variable",
            refused: "static var kept: Person? // refused",
            accepted: "@MainActor static var kept: Person?",
            message: "is not concurrency-safe"),
        Refusal(
            "an object is kept in an inout parameter",
            refused: """
                func program(_ room: PrivateQueueContext, into kept: inout Person?) throws {
                    try room.performAndWait { context in // refused
                        kept = try Person.findFirst(in: context)
                    }
                }
                """,
            accepted: """
                func program(_ room: PrivateQueueContext, into kept: inout ManagedObjectID?) throws {
                    kept = try room.performAndWait { context in
                        try Person.findFirst(in: context)?.objectID
                    }
                }
                """,
            message: "risks causing data races"),
        Refusal(
            "a context is kept in a weak variable",
            refused: """
                func program(_ stack: ContextStack) throws {
                    weak var kept: ManagedObjectContext?
                    try stack.saveWithBlockAndWait { context in // refused
                        kept = context
                    }
                    print(kept?.name ?? "")
                }
                """,
            accepted: """
                func program(_ stack: ContextStack) throws {
                    try stack.saveWithBlockAndWait { context in
                        weak let kept = context
                        print(kept?.name ?? "")
                    }
                }
                """,
            message: "risks causing data races"),
        Refusal(
            "an object of one block is used in the next",
            refused: """
                func program(_ stack: ContextStack) async throws {
                    var kept: Person?
                    try await stack.saveWithBlock { context in // refused
                        kept = try Person.findFirst(in: context)
                    }
                    try await stack.saveWithBlock { _ in kept?.name = "Ann" }
                }
                """,
            accepted: """
                func program(_ stack: ContextStack) async throws {
                    let kept = try await stack.saveWithBlock { context in
                        try Person.findFirst(in: context)!.objectID
                    }
                    try await stack.saveWithBlock { context in
                        try Person.existing(kept, in: context).name = "Ann"
                    }
                }
                """,
            message: "risks causing data races"),
        Refusal(
            "an object is kept by a method of another object",
            refused: """
                final class Box {
                    var person: Person?
                    func keep(_ context: ManagedObjectContext) throws {
                        person = try Person.findFirst(in: context)
                    }
                }
                func program(_ stack: ContextStack) throws {
                    let box = Box()
                    try stack.saveWithBlockAndWait(box.keep) // refused
                    print(box.person!.name)
                }
                """,
            accepted: """
                struct Work {
                    func run(_ context: ManagedObjectContext) throws {
                        print(try Person.findFirst(in: context) as Any)
                    }
                }
                func program(_ stack: ContextStack) throws {
                    try stack.saveWithBlockAndWait(Work().run)
                }
                """,
            message: "risks causing data races"),
    ]
}
