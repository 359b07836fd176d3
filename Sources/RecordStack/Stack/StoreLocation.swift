/// The location of a stack's store.
///
/// ```swift
/// let stack = try ContextStack(for: Person.self, at: .file("people.sqlite"))
/// ```
public enum StoreLocation: Sendable, Hashable {
    /// A file, which the stack creates if there is none, with `-wal` and `-shm` files next to it.
    ///
    /// A relative path starts at the current working directory. The folder must exist. The stack
    /// resolves symbolic links only when it opens the store. The path is always the name of a file,
    /// even if it is `:memory:` or begins with `file:`.
    case file(String)
    /// Memory. The store disappears with the stack.
    ///
    /// Requests return the same results as with a file. The store has only one connection, so
    /// readers and the writer wait for each other.
    case inMemory
}
