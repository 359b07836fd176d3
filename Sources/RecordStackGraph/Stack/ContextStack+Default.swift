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

    /// Runs a body that sees another default stack, for tests that run side by side.
    package static func withDefault<Value>(
        _ stack: ContextStack, _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await $override.withValue(stack) { try await body() }
    }

    /// The default context of the default stack.
    /// - Throws: ``RecordStackError/Code/misuse`` where the program has set no default stack.
    @MainActor package static func requireDefaultContext() throws -> ManagedObjectContext {
        if let stack = Self.default { return stack.defaultContext }
        throw RecordStackError(
            .misuse,
            "There is no default stack. Set ContextStack.default when the program starts, or name "
                + "a context with in:.")
    }
}
