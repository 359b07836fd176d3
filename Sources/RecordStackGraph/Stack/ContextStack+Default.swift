import RecordStackModel
import Synchronization

extension ContextStack {
    private static let shared = Mutex<ContextStack?>(nil)
    @TaskLocal private static var override: ContextStack?

    /// The stack that main-actor calls without a context use, such as `Person.find()`.
    ///
    /// Set it once when the program starts. Nil by default; those calls then throw
    /// ``RecordStackError/Code/misuse``.
    public static var `default`: ContextStack? {
        get { override ?? shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    /// Runs a body with another default stack, so that parallel tests have one each.
    ///
    /// ```swift
    /// try await ContextStack.withDefault(stack) {
    ///     try await countPeople()                 // uses Person.count(), which counts in `stack`
    /// }
    /// ```
    ///
    /// The stack applies to everything that the body calls and awaits, and to the tasks that it
    /// creates, like any task-local value. It does not apply to detached tasks or to blocks on a
    /// queue. If the body sets ``default``, the change takes effect outside of the body only.
    ///
    /// - Returns: The result of the body.
    /// - Throws: The errors of the body.
    public static func withDefault<Value>(
        _ stack: ContextStack, _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await $override.withValue(stack) { try await body() }
    }

    /// Runs a synchronous body with another default stack.
    ///
    /// See the asynchronous form of ``withDefault(_:_:)``.
    public static func withDefault<Value>(
        _ stack: ContextStack, _ body: () throws -> Value
    ) rethrows -> Value {
        try $override.withValue(stack) { try body() }
    }

    /// Returns the default context of the default stack, which calls without a context use.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` if the program has set no default stack.
    @MainActor public static func requireDefaultContext() throws -> ManagedObjectContext {
        if let stack = Self.default { return stack.defaultContext }
        throw RecordStackError(
            .misuse,
            "There is no default stack. Set ContextStack.default when the program starts, give a "
                + "test one with ContextStack.withDefault, or name a context with in:.")
    }
}
