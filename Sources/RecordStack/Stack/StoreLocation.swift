/// Where a stack keeps its store.
///
/// ```swift
/// let stack = try ContextStack(for: Person.self, at: .file("people.sqlite"))
/// ```
public enum StoreLocation: Sendable, Hashable {
    /// A file, which is made where there is none, with `-wal` and `-shm` beside it. A relative path
    /// begins at the working directory of the moment. The folder must exist. Links are followed once,
    /// when the store is opened. Every character stands for itself, in `:memory:` and `file:` as well.
    case file(String)
    /// Memory: gone with the stack. The same results on one connection, so that readers and the
    /// writer wait for each other.
    case inMemory
}
