/// How a stack opens its store.
///
/// ```swift
/// let options = StoreOptions(busyTimeout: 10, isReadOnly: true)
/// let stack = try ContextStack(for: Person.self, at: .file("people.sqlite"), options: options)
/// ```
public struct StoreOptions: Sendable {
    /// How long an operation waits for another process that holds the store, in seconds, from 0.
    /// After that it throws ``RecordStackError/Code/busy``.
    public var busyTimeout: Double
    /// How much of the file each connection may keep in memory, in kibibytes, from 1. A stack has
    /// one connection that writes, and one for each operation that reads at the same time.
    public var cacheSize: Int
    /// Whether the store is only read. Saving and creating throw
    /// ``RecordStackError/Code/readOnly``, and a store that is missing is not made.
    public var isReadOnly: Bool
    /// How much is told of the SQL that runs. Nil leaves it to the environment variable
    /// `RECORDSTACK_SQL_DEBUG`, which takes the numbers 0 to 3.
    public var sqlDebugLevel: SQLDebugLevel?
    /// Who is told of the SQL that runs; nil for standard error. It is called on the thread that
    /// runs the statement, and must not use the stack.
    public var sqlDebugSink: (@Sendable (SQLDebugEvent) -> Void)?
    /// How often, at most, the stack looks for what other stacks and processes have saved to its file, in
    /// seconds, from 0.001. A save of theirs shows in this stack's contexts within about so
    /// long, as another context's save does. A stack looks after its own saves as well, and
    /// less and less often when nobody saves; idle, it does nothing. With nil it does not look by itself, and
    /// contexts take their saves in with the next operation.
    public var remoteSaveInterval: Double? = 0.02
    /// What is watched while the stack is in use.
    public var watching = WatchOptions()
    /// The largest size of the file, in pages of 4,096 bytes; nil for SQLite's own limit.
    package var pageLimit: Int?
    /// The largest size of an object's values, in bytes; nil for SQLite's own limit.
    package var valueLimit: Int?
    /// The name of the layer through which SQLite uses the disk; nil for the machine's own.
    package var vfs: String?
    /// How many pages the log may have before it is written back into the file.
    package var checkpointPages = 1_000
    /// How often reading looks whether the file is still where it was, in seconds.
    package var moveCheckInterval = 0.25
    /// Who is told of every statement.
    package var observer: (@Sendable (StoreEvent) -> Void)?
    /// Called when nobody can use the store any more.
    package var onEnd: (@Sendable () -> Void)?

    /// Options, all of which have defaults.
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

    /// - Throws: misuse that names the value which makes no sense.
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
    /// The log has so many pages and cannot be written back now.
    case logGrowth(pages: Int)
}
