import RecordStackGraph

extension TestStack {
    @TaskLocal private static var inForce: TestStack?

    /// The test stack whose stack is the default one here, made by ``asDefault(_:)`` or by the trait
    /// ``Testing/Trait/defaultStack(for:at:seed:)``; nil outside of both.
    public static var current: TestStack? { inForce }

    /// Runs a body for which this is ``RecordStackGraph/ContextStack/default``, so that verbs without
    /// a context use it. Tests that run side by side have one each.
    ///
    /// ```swift
    /// @MainActor @Test func `the app counts its people`() async throws {
    ///     let test = try TestStack(for: Person.self)
    ///     try await test.asDefault {
    ///         try Person.create().email = "ann@example.org"
    ///         #expect(try Person.count() == 1)
    ///     }
    /// }
    /// ```
    ///
    /// It holds for what the body calls and awaits, and for the tasks that it makes; not for detached
    /// tasks, nor for blocks that are handed to a queue.
    public func asDefault<Value>(
        _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await ContextStack.withDefault(stack) {
            try await Self.$inForce.withValue(self) { try await body() }
        }
    }

    /// Runs a body that does not wait for anything as the other ``asDefault(_:)`` does.
    public func asDefault<Value>(_ body: () throws -> Value) rethrows -> Value {
        try ContextStack.withDefault(stack) {
            try Self.$inForce.withValue(self) { try body() }
        }
    }
}
