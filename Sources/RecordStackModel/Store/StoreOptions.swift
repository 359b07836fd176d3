/// The options with which a stack opens its store.
///
/// ```swift
/// let options = StoreOptions(busyTimeout: 10, isReadOnly: true)
/// let stack = try ContextStack(for: Person.self, at: .file("people.sqlite"), options: options)
/// ```
public struct StoreOptions: Sendable {
    /// The number of seconds that an operation waits for a lock of another process.
    ///
    /// The value must be at least 0. After this time, the operation throws
    /// ``RecordStackError/Code/busy``.
    public var busyTimeout: Double
    /// The size of each connection's page cache, in kibibytes.
    ///
    /// The value must be at least 1. A stack has one connection for writing, and one connection for
    /// each concurrent read.
    public var cacheSize: Int
    /// Whether the stack opens the store only for reading.
    ///
    /// Saving changes or creating objects then throws ``RecordStackError/Code/readOnly``. If the
    /// store does not exist, the stack does not create it.
    public var isReadOnly: Bool
    /// The level of detail with which the stack reports its SQL.
    ///
    /// If the option is nil, the environment variable `RECORDSTACK_SQL_DEBUG` sets the level, as a
    /// number from 0 to 3.
    public var sqlDebugLevel: SQLDebugLevel?
    /// A closure that receives reports of the SQL, or nil to write them to standard error.
    ///
    /// The stack calls it on the thread that runs the statement. The closure must not use the
    /// stack.
    public var sqlDebugSink: (@Sendable (SQLDebugEvent) -> Void)?
    /// The shortest time between two checks for remote saves, in seconds.
    ///
    /// The value must be at least 0.001, or nil. A remote save is a save of another stack on the
    /// same file, in this process or in another process. Within about this time, remote saves
    /// appear in this stack's contexts in the same way as the stack's own saves. After each write
    /// to the WAL, the stack checks several times at increasing intervals, and then stops until the
    /// next write. If the value is nil, the stack does not check, and contexts merge remote saves
    /// at their next operation.
    public var remoteSaveInterval: Double? = 0.02
    /// The runtime checks and warnings of the stack.
    public var watching = WatchOptions()
    /// The largest size of the file, in pages of 4,096 bytes; nil for SQLite's own limit.
    package var pageLimit: Int?
    /// The largest size of an object's values, in bytes; nil for SQLite's own limit.
    package var valueLimit: Int?
    /// The name of the VFS through which SQLite uses the disk; nil for the system's default.
    package var vfs: String?
    /// The number of pages in the WAL at which a checkpoint copies it into the file.
    package var checkpointPages = 1_000
    /// The shortest time between two checks that the file has not moved, in seconds.
    package var moveCheckInterval = 0.25
    /// A closure that receives every event of the store.
    package var observer: (@Sendable (StoreEvent) -> Void)?
    /// A closure that is called when the store is deallocated.
    package var onEnd: (@Sendable () -> Void)?

    /// Creates options, with a default for each parameter.
    public init(
        busyTimeout: Double = 5, cacheSize: Int = 16_384, isReadOnly: Bool = false,
        sqlDebugLevel: SQLDebugLevel? = nil,
        sqlDebugSink: (@Sendable (SQLDebugEvent) -> Void)? = nil
    ) {
        self.busyTimeout = busyTimeout
        self.cacheSize = cacheSize
        self.isReadOnly = isReadOnly
        self.sqlDebugLevel = sqlDebugLevel
        self.sqlDebugSink = sqlDebugSink
    }

    /// - Throws: misuse that names the option with an invalid value.
    package func validate() throws {
        try watching.validate()
        guard busyTimeout >= 0, busyTimeout.isFinite else {
            throw RecordStackError(
                .misuse, "busyTimeout is \(busyTimeout). Give it seconds, 0 or more.")
        }
        if let remoteSaveInterval {
            guard remoteSaveInterval >= 0.001, remoteSaveInterval < 1e6 else {
                throw RecordStackError(
                    .misuse,
                    "remoteSaveInterval is \(remoteSaveInterval). Give it seconds, 0.001 or more, or nil "
                        + "where the stack is not to follow what others save.")
            }
        }
        guard (1...0x7FFF_FFFF).contains(cacheSize) else {
            throw RecordStackError(
                .misuse, "cacheSize is \(cacheSize). Give it kibibytes, 1 or more.")
        }
    }
}

/// An event that a store reports to its observer.
package enum StoreEvent: Sendable, Hashable {
    /// A connection was opened and set up.
    case opened(connection: Int)
    /// A statement begins to run.
    case statement(connection: Int, sql: String)
    /// A reader was returned; `isIdle` is true if its transaction has ended.
    case returned(connection: Int, isIdle: Bool)
    /// A checkpoint begins, in the mode with this name.
    case checkpoint(connection: Int, mode: String)
    /// The WAL has this number of pages, and could not be copied into the file.
    case logGrowth(pages: Int)
}
