extension Refusal {
    /// Values that must not carry an object between tasks and threads.
    static let carriers = [
        Refusal(
            "a mutex takes an object out of a block", importing: ["Synchronization"],
            refused: """
                func program(_ stack: ContextStack) throws {
                    let kept = Mutex<Person?>(nil)
                    try stack.saveWithBlockAndWait { context in
                        let ann = try Person.create(in: context, email: "a")
                        kept.withLock { $0 = ann } // refused
                    }
                }
                """,
            accepted: """
                func program(_ stack: ContextStack) throws {
                    let kept = Mutex<ManagedObjectID?>(nil)
                    try stack.saveWithBlockAndWait { context in
                        let ann = try Person.create(in: context, email: "a").objectID
                        kept.withLock { $0 = ann }
                    }
                }
                """,
            message: "cannot be task-isolated at end of function"),
        Refusal(
            "a stream takes an object out of a block",
            refused: """
                func program(
                    _ stack: ContextStack, _ people: AsyncStream<Person>.Continuation
                ) async throws {
                    try await stack.saveWithBlock { context in
                        _ = people.yield(try Person.create(in: context, email: "a")) // refused
                    }
                }
                """,
            accepted: """
                func program(
                    _ stack: ContextStack, _ people: AsyncStream<Snapshot<Person>>.Continuation
                ) async throws {
                    try await stack.saveWithBlock { context in
                        _ = people.yield(try Person.create(in: context, email: "a").snapshot)
                    }
                }
                """,
            message: "sending value of non-Sendable type 'Person' risks causing data races"),
        Refusal(
            "a struct that holds an object is declared Sendable",
            refused: "struct Carrier: Sendable { let person: Person } // refused",
            accepted: "struct Carrier: Sendable { let person: Snapshot<Person> }",
            message: "has non-Sendable type 'Person'"),
        Refusal(
            "a struct that holds an object weakly is declared Sendable",
            refused: "struct Carrier: Sendable { weak let person: Person? } // refused",
            accepted: "struct Carrier: Sendable { let person: ManagedObjectID? }",
            message: "has non-Sendable type 'Person?'"),
        // For a class of any kind, Swift only warns if the conformance comes with Error.
        Refusal(
            "an error that holds an object",
            refused: "struct Carrier: Error { let person: Person } // refused",
            accepted: "struct Carrier: Error { let person: ManagedObjectID }",
            message: "has non-Sendable type 'Person'", severity: .warning),
        // The conformance stays unavailable in this case, so a warning is enough.
        Refusal(
            "an entity is declared Sendable",
            refused: """
                @Entity final class Pet: ManagedObject, @unchecked Sendable { // refused
                    @Attribute var name: String
                }
                """,
            accepted: """
                @Entity final class Pet: ManagedObject {
                    @Attribute var name: String
                }
                """,
            message: "to protocol 'Sendable' is already unavailable",
            severity: .warning),
        Refusal(
            "an entity conforms to a protocol that is Sendable",
            refused: """
                protocol Named: Sendable {}
                @Entity final class Pet: ManagedObject, Named { // refused
                    @Attribute var name: String
                }
                """,
            accepted: """
                protocol Named {}
                @Entity final class Pet: ManagedObject, Named {
                    @Attribute var name: String
                }
                """,
            message: "Pass its objectID or snapshot."),
        Refusal(
            "an entity is an error",
            refused: """
                @Entity final class Pet: ManagedObject, Error { // refused
                    @Attribute var name: String
                }
                """,
            accepted: """
                @Entity final class Pet: ManagedObject {
                    @Attribute var name: String
                }
                struct Missing: Error { let pet: Snapshot<Pet> }
                """,
            message: "Pass its objectID or snapshot."),
    ]
}
