import RecordStackModel
import Synchronization

extension ContextStack {
    private static let shared = Mutex<ContextStack?>(nil)
    @TaskLocal private static var override: ContextStack?

    /// The stack for calls on the main actor that name no context, such as `Person.find()`.
    ///
    /// Set it when the program starts. If it is nil, which is the default, those calls throw
    /// ``RecordStackError/Code/misuse``.
    public static var `default`: ContextStack? {
        get { override ?? shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    /// Runs a closure with another default stack.
    ///
    /// For example, tests that run in parallel can each have their own default stack.
    ///
    /// ```swift
    /// try await ContextStack.withDefault(stack) {
    ///     try await countPeople()                 // uses Person.count(), which counts in `stack`
    /// }
    /// ```
    ///
    /// Like any task-local value, the stack applies to everything that the closure calls and
    /// awaits, and to the tasks that it creates. The stack does not apply to detached tasks or to
    /// blocks on a queue. If the closure sets ``default``, the new value applies only outside of
    /// the closure.
    ///
    /// - Returns: The result of the closure.
    /// - Throws: The errors of the closure.
    public static func withDefault<Value>(
        _ stack: ContextStack, _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await $override.withValue(stack) { try await body() }
    }

    /// Runs a synchronous closure with another default stack.
    ///
    /// See the asynchronous form of ``withDefault(_:_:)``.
    public static func withDefault<Value>(
        _ stack: ContextStack, _ body: () throws -> Value
    ) rethrows -> Value {
        try $override.withValue(stack) { try body() }
    }

    /// Returns the default context of the default stack, for calls that name no context.
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
