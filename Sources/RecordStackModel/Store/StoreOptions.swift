/// How a store is opened.
package struct StoreOptions: Sendable {
    /// How long to wait for another process, in seconds.
    package var busyTimeout: Double = 5
    /// The largest size of the file, in pages of 4,096 bytes; nil for SQLite's own limit.
    package var pageLimit: Int?
    /// How many kibibytes of pages each connection keeps in memory.
    package var cacheSize = 16_384
    /// How many pages the log may have before it is written back into the file.
    package var checkpointPages = 1_000
    /// Who is told of every statement.
    package var observer: (@Sendable (StoreEvent) -> Void)?
    /// Called when nobody can use the store any more.
    package var onEnd: (@Sendable () -> Void)?

    package init() {}
}

/// What a store tells its observer.
package enum StoreEvent: Sendable, Hashable {
    /// A connection was opened and set up.
    case opened(connection: Int)
    /// A statement begins to run.
    case statement(connection: Int, sql: String)
    /// A reader was given back; whether its transaction had ended.
    case returned(connection: Int, isIdle: Bool)
    /// The log is being written back, in the mode of that name.
    case checkpoint(connection: Int, mode: String)
}
