extension Refusal {
    /// Results other than an object and the context that a block must not return.
    static let results = [
        Refusal(
            "an array of objects leaves stack.read",
            refused: """
                func program(_ stack: ContextStack) async throws {
                    let value = try await stack.read { context in // refused
                        try Person.find(in: context)
                    }
                    print(value)
                }
                """,
            accepted: """
                func program(_ stack: ContextStack) async throws {
                    let value = try await stack.read { context in
                        try Person.find(in: context).snapshots()
                    }
                    print(value)
                }
                """,
            message: "Pass its objectID or snapshot."),
        Refusal(
            "a page of objects leaves stack.read",
            refused: """
                func program(_ stack: ContextStack) async throws {
                    let value = try await stack.read { context in // refused
                        try Person.page(1, size: 25, in: context)
                    }
                    print(value)
                }
                """,
            accepted: """
                func program(_ stack: ContextStack) async throws {
                    let value = try await stack.read { context in
                        try Person.page(1, size: 25, in: context).map { try $0.snapshot }
                    }
                    print(value)
                }
                """,
            message: "Pass its objectID or snapshot."),
        Refusal(
            "a to-many relationship leaves perform",
            refused: """
                func program(_ room: PrivateQueueContext) async throws {
                    let value = try await room.perform { context in // refused
                        try Team.create(in: context, title: "A").members
                    }
                    print(value)
                }
                """,
            accepted: """
                func program(_ room: PrivateQueueContext) async throws {
                    let value = try await room.perform { context in
                        try Team.create(in: context, title: "A").members.map(\\.objectID)
                    }
                    print(value)
                }
                """,
            message: "type 'ToMany<Person>' does not conform to the 'Sendable' protocol"),
        Refusal(
            "an object in a tuple leaves performAndWait",
            refused: """
                func program(_ room: PrivateQueueContext) throws {
                    let value = try room.performAndWait { context in // refused
                        (1, try Person.findFirst(in: context))
                    }
                    print(value)
                }
                """,
            accepted: """
                func program(_ room: PrivateQueueContext) throws {
                    let value = try room.performAndWait { context in
                        (1, try Person.findFirst(in: context)?.name)
                    }
                    print(value)
                }
                """,
            message: "Pass its objectID or snapshot."),
        Refusal(
            "a closure over an object leaves perform",
            refused: """
                func program(_ room: PrivateQueueContext) async throws {
                    let name = try await room.perform { context in // refused
                        let ann = try Person.findFirst(in: context)!
                        return { ann.name }
                    }
                    print(name())
                }
                """,
            accepted: """
                func program(_ room: PrivateQueueContext) async throws {
                    let name = try await room.perform { context in
                        let name = try Person.findFirst(in: context)!.name
                        return { @Sendable in name }
                    }
                    print(name())
                }
                """,
            message: "type '() -> String' does not conform to the 'Sendable' protocol"),
        Refusal(
            "an object behind any Sendable leaves saveWithBlockAndWait",
            refused: """
                func program(_ stack: ContextStack) throws {
                    try stack.saveWithBlockAndWait { context -> any Sendable in
                        try Person.create(in: context, email: "a") // refused
                    }
                }
                """,
            accepted: """
                func program(_ stack: ContextStack) throws {
                    try stack.saveWithBlockAndWait { context -> any Sendable in
                        try Person.create(in: context, email: "a").objectID
                    }
                }
                """,
            message: "Pass its objectID or snapshot."),
        Refusal(
            "an object as an unmanaged reference leaves stack.read",
            refused: """
                func program(_ stack: ContextStack) async throws {
                    let value = try await stack.read { context in // refused
                        Unmanaged.passRetained(try Person.findFirst(in: context)!)
                    }
                    print(value)
                }
                """,
            accepted: """
                func program(_ stack: ContextStack) async throws {
                    let value = try await stack.read { context in
                        try Person.findFirst(in: context)!.objectID
                    }
                    print(value)
                }
                """,
            message: "Pass its objectID or snapshot."),
        Refusal(
            "an object of an inner block leaves it for an outer one",
            refused: """
                func program(_ stack: ContextStack, _ room: PrivateQueueContext) throws {
                    try stack.saveWithBlockAndWait { context in
                        let value = try room.performAndWait { inner in // refused
                            try Person.create(in: inner, email: "a")
                        }
                        print(value)
                    }
                }
                """,
            accepted: """
                func program(_ stack: ContextStack, _ room: PrivateQueueContext) throws {
                    try stack.saveWithBlockAndWait { context in
                        let value = try room.performAndWait { inner in
                            try Person.create(in: inner, email: "a").objectID
                        }
                        print(value)
                    }
                }
                """,
            message: "Pass its objectID or snapshot."),
    ]
}
