extension Refusal {
    /// Leaks of rows, pages and lazy results across isolations.
    static let batches = [
        Refusal(
            "an object of the default context is used where rows become objects",
            refused: """
                @MainActor func program(_ stack: ContextStack) async throws {
                    let ann = try Person.findFirst(in: stack.defaultContext)!
                    try await stack.create(Person.self, from: [1]) { person, _ in // refused
                        person.email = ann.email
                    }
                }
                """,
            accepted: """
                @MainActor func program(_ stack: ContextStack) async throws {
                    let ann = try Person.findFirst(in: stack.defaultContext)!.email
                    try await stack.create(Person.self, from: [1]) { person, _ in
                        person.email = ann
                    }
                }
                """,
            message: "risks causing data races between main actor-isolated code"),
        Refusal(
            "an object that was made from a row is kept",
            refused: """
                func program(_ stack: ContextStack) async throws {
                    var kept: Person?
                    try await stack.create(Person.self, from: [1]) { person, _ in // refused
                        kept = person
                    }
                    print(kept!.name)
                }
                """,
            accepted: """
                func program(_ stack: ContextStack) async throws {
                    try await stack.create(Person.self, from: [1]) { person, _ in
                        let kept = person
                        print(kept.name)
                    }
                }
                """,
            message: "risks causing data races"),
        Refusal(
            "rows that are not Sendable are used after they were handed over",
            refused: """
                final class Row { var mail = "" }
                func program(_ stack: ContextStack) async throws {
                    let rows = [Row()]
                    try await stack.create(Person.self, from: rows) { $0.email = $1.mail } // refused
                    print(rows[0].mail)
                }
                """,
            accepted: """
                final class Row { var mail = "" }
                func program(_ stack: ContextStack) async throws {
                    let rows = [Row()]
                    print(rows[0].mail)
                    try await stack.create(Person.self, from: rows) { $0.email = $1.mail }
                }
                """,
            message: "sending 'rows' risks causing data races"),
        Refusal(
            "an object of the default context is used in an upsert of a stack",
            refused: """
                @MainActor func program(_ stack: ContextStack) async throws {
                    let ann = try Person.findFirst(in: stack.defaultContext)!
                    try await stack.upsert(Person.self, ["a"], by: \\.email, key: { $0 }) { // refused
                        person, _, _ in person.name = ann.name
                    }
                }
                """,
            accepted: """
                @MainActor func program(_ stack: ContextStack) async throws {
                    let ann = try Person.findFirst(in: stack.defaultContext)!
                    try Person.upsert(["a"], by: \\.email, key: { $0 }, in: stack.defaultContext) {
                        person, _, _ in person.name = ann.name
                    }
                }
                """,
            message: "risks causing data races between main actor-isolated code"),
        Refusal(
            "a waiting form is called from async code",
            refused: """
                func program(_ stack: ContextStack) async throws {
                    try stack.createAndWait(Person.self, from: ["a"]) { $0.email = $1 } // refused
                }
                """,
            accepted: """
                func program(_ stack: ContextStack) throws {
                    try stack.createAndWait(Person.self, from: ["a"]) { $0.email = $1 }
                }
                """,
            message: "unavailable from asynchronous contexts"),
        Refusal(
            "pages of the default context are walked in a detached task",
            refused: """
                @MainActor func program(_ stack: ContextStack) {
                    let pages = stack.defaultContext.pages(size: 9, of: Person.all)
                    Task.detached { for try await page in pages { print(page.items.count) } } // refused
                }
                """,
            accepted: """
                @MainActor func program(_ stack: ContextStack) {
                    let pages = stack.defaultContext.pages(size: 9, of: Person.all)
                    Task { for try await page in pages { print(page.items.count) } }
                    let people = stack.snapshots(of: Person.all)
                    Task.detached { for try await person in people { print(person.name) } }
                }
                """,
            message: "risks causing data races between main actor-isolated code"),
        Refusal(
            "lazy results of the default context go into a detached task",
            refused: """
                @MainActor func program(_ stack: ContextStack) throws {
                    let people = try Person.findLazily(in: stack.defaultContext)
                    Task.detached { print(people[0].name) } // refused
                }
                """,
            accepted: """
                @MainActor func program(_ stack: ContextStack) throws {
                    let people = try Person.findLazily(in: stack.defaultContext)
                    Task { print(people[0].name) }
                }
                """,
            message: "risks causing data races between main actor-isolated code"),
    ]
}
