import RecordStackModel
import Synchronization

extension ContextStack {
    private static let shared = Mutex<ContextStack?>(nil)
    @TaskLocal private static var override: ContextStack?

    /// The stack that verbs without a context use, from the main actor: `Person.find()`.
    ///
    /// A program sets it once, when it starts; nil, the default, makes those verbs throw
    /// ``RecordStackError/Code/misuse``.
    public static var `default`: ContextStack? {
        get { override ?? shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    /// Runs a body for which another stack is the default one, which is how tests that run side by
    /// side have one each.
    ///
    /// ```swift
    /// try await ContextStack.withDefault(stack) {
    ///     try await countPeople()                 // uses Person.count(), and finds those of `stack`
    /// }
    /// ```
    ///
    /// It holds for what the body calls and awaits, and for the tasks that it makes, as a task-local
    /// value does; not for detached tasks, nor for blocks that are handed to a queue. Setting
    /// ``default`` inside of the body changes what others see, and nothing here.
    ///
    /// - Returns: what the body returns.
    /// - Throws: what the body throws.
    public static func withDefault<Value>(
        _ stack: ContextStack, _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await $override.withValue(stack) { try await body() }
    }

    /// Runs a body that does not wait for anything as the other ``withDefault(_:_:)`` does.
    public static func withDefault<Value>(
        _ stack: ContextStack, _ body: () throws -> Value
    ) rethrows -> Value {
        try $override.withValue(stack) { try body() }
    }

    /// The default context of the default stack, which the verbs without a context use.
    /// - Throws: ``RecordStackError/Code/misuse`` where the program has set no default stack.
    @MainActor public static func requireDefaultContext() throws -> ManagedObjectContext {
        if let stack = Self.default { return stack.defaultContext }
        throw RecordStackError(
            .misuse,
            "There is no default stack. Set ContextStack.default when the program starts, give a "
                + "test one with ContextStack.withDefault, or name a context with in:.")
    }
}
