import RecordStackModel

/// The compiled statements of a connection, which live as long as the connection.
struct StatementCache {
    private var statements: [StatementShape: SQLiteStatement] = [:]
    /// The statements that were used last.
    ///
    /// A loop runs the same few statements, which are found by comparison, without hashing.
    private var recent: [SQLiteStatement] = []
    /// The index of the next entry of `recent` to replace.
    private var oldest = 0
    /// The statements that are found by their text.
    var plainStatements: [SQLiteStatement] = []
    /// The statements that are not reported to an observer.
    var silentStatements: [SQLiteStatement] = []
    /// The statements that look up one value, by entity and slot.
    ///
    /// They run most often and are found without hashing. The statement for the key precedes that
    /// for the first slot.
    var lookUps: [[SQLiteStatement?]] = []
    /// The statement that every save runs, once it is compiled.
    var knownTokenStatement: SQLiteStatement?

    /// Finalizes the statements.
    mutating func removeAll() { self = StatementCache() }

    mutating func statement(of shape: StatementShape) -> SQLiteStatement? {
        for statement in recent where statement.shape == shape { return statement }
        guard let statement = statements[shape] else { return nil }
        if recent.count < Self.recentLimit {
            recent.append(statement)
        } else {
            recent[oldest] = statement
            oldest = (oldest + 1) % Self.recentLimit
        }
        return statement
    }

    mutating func add(_ statement: SQLiteStatement) {
        guard let shape = statement.shape else { return }
        if statements.count >= Self.limit { (statements, recent, oldest) = ([:], [], 0) }
        statements[shape] = statement
    }

    /// The limit in case a program produces ever new shapes. Programs usually have far fewer.
    private static var limit: Int { 512 }
    private static var recentLimit: Int { 3 }
}

/// The read transaction of a connection, and the connection's knowledge of its commits.
struct ReadTransaction {
    /// The statement that is left unfinished to keep its read transaction open.
    var holder: SQLiteStatement?
    /// True if the transaction may outlive the operation.
    var isInBurst = false
    /// The transaction that has outlived an operation, or may do so.
    var standing: StandingTransaction?
    /// True if the transaction is the operation's own, or is known to show the latest commit.
    var isCurrent = false
    /// The index of the log, once a burst has requested it.
    var logIndex = LogIndex.unknown
    /// The position that was read last, and SQLite's number for the commits that it contains.
    var knownPosition: (version: UInt32, position: StorePosition)?
}

/// The state of the row in which a connection's saves leave their tokens.
struct TokenState {
    /// The row in which the connection's saves leave their tokens; nil before the first save.
    var tokenRow: TokenRow?
    /// The token statement's number of recompilations at the last check of the model.
    ///
    /// Nil if the next save must check the model.
    var knownRecompilations: Int32? = 0
}

/// The functions that filters call.
struct FilterFunctions {
    /// True if the functions are installed on the connection.
    var hasFunctions = false
    /// The error with which a function has ended a statement.
    let functionFailure = FunctionFailure()
    /// The program's text orders that are installed on the connection.
    var textOrders: Set<TextOrder> = []
}

/// The waiting of a connection for a lock.
struct BusyWait {
    /// The time for which the busy handler has waited during the current call, in microseconds.
    var waited = 0
    /// True if the waiting call is a checkpoint, which must not continue without its lock.
    var isCheckpointing = false
}

/// The recipients of reports about a connection's statements.
struct StatementWatch {
    let debugger: SQLDebugger?
    /// True if there is any recipient.
    let isWatched: Bool

    init(path: String, connection: Int, _ options: StoreOptions) {
        debugger = SQLDebugger(path: path, connection: connection, options: options)
        isWatched = debugger != nil || options.observer != nil
    }
}
