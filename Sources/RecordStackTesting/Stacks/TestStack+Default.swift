import RecordStackGraph

extension TestStack {
    @TaskLocal private static var inForce: TestStack?

    /// The test stack that provides the default stack in the current task, or nil if there is none.
    ///
    /// `asDefault(_:)` and the trait `.defaultStack(for:at:seed:)` set this value.
    public static var current: TestStack? { inForce }

    /// Runs a closure in which `ContextStack.default` is this stack.
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
    /// Methods without a context parameter use this stack. Tests that run in parallel can each have
    /// their own default stack. The default applies to everything that the closure calls and
    /// awaits, and to the tasks that it creates. It does not apply to detached tasks, or to blocks
    /// on a dispatch queue.
    public func asDefault<Value>(
        _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await ContextStack.withDefault(stack) {
            try await Self.$inForce.withValue(self) { try await body() }
        }
    }

    /// Runs a synchronous closure in which `ContextStack.default` is this stack.
    public func asDefault<Value>(_ body: () throws -> Value) rethrows -> Value {
        try ContextStack.withDefault(stack) {
            try Self.$inForce.withValue(self) { try body() }
        }
    }
}
