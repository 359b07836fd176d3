/// The location of a stack's store.
///
/// ```swift
/// let stack = try ContextStack(for: Person.self, at: .file("people.sqlite"))
/// ```
public enum StoreLocation: Sendable, Hashable {
    /// A file, which the stack creates if there is none, with `-wal` and `-shm` files beside it.
    ///
    /// A relative path starts at the current working directory. The folder must exist. Symbolic
    /// links are resolved once, when the store is opened. Every character of the path is literal,
    /// even in `:memory:` and `file:`.
    case file(String)
    /// Memory, which is gone with the stack.
    ///
    /// Results are the same as with a file. The store has only one connection, so readers and the
    /// writer wait for each other.
    case inMemory
}
