import RecordStackModel

/// The compiled statements of a connection, which live as long as it.
struct StatementCache {
    private var statements: [StatementShape: SQLiteStatement] = [:]
    /// The statements that were asked for last. A loop asks for the same few, which are found by comparing, without
    /// hashing.
    private var recent: [SQLiteStatement] = []
    /// The next of them to be replaced by another one.
    private var oldest = 0
    /// The statements that are known by their text.
    var plainStatements: [SQLiteStatement] = []
    /// The statements of which no observer hears.
    var silentStatements: [SQLiteStatement] = []
    /// The statements that look for one value, by entity and slot: the commonest of all, found without hashing. The key's
    /// stands before that of the first slot.
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

    /// Programs have far fewer shapes; one that makes them up must not fill the memory.
    private static var limit: Int { 512 }
    private static var recentLimit: Int { 3 }
}

/// The read transaction of a connection, and what is known of the commits that it shows.
struct ReadTransaction {
    /// The statement that is left standing for its read transaction.
    var holder: SQLiteStatement?
    /// True if the transaction may outlive the operation.
    var isInBurst = false
    /// The transaction that outlived an operation, or may do so.
    var standing: StandingTransaction?
    /// True if the transaction is the operation's own, or was found to show what is committed.
    var isCurrent = false
    /// The index of the log, once a burst has asked for it.
    var logIndex = LogIndex.unknown
    /// The position that was read last, and SQLite's number for the commits that it contains.
    var knownPosition: (version: UInt32, position: StorePosition)?
}

/// What a connection knows of the row in which its saves leave their tokens.
struct TokenState {
    /// Where the saves of the connection leave their tokens; nil before the first.
    var tokenRow: TokenRow?
    /// How often SQLite had compiled the token's statement anew when the model was last looked at; nil where the next save
    /// must look.
    var knownRecompilations: Int32? = 0
}

/// The functions that filters call.
struct FilterFunctions {
    /// True if the connection knows them.
    var hasFunctions = false
    /// Why a function has ended a statement.
    let functionFailure = FunctionFailure()
    /// The orders of programs that SQLite was taught.
    var textOrders: Set<TextOrder> = []
}

/// The waiting of a connection for a lock.
struct BusyWait {
    /// The time for which the busy handler has waited during the current call, in microseconds.
    var waited = 0
    /// True if the call that waits is a checkpoint, which must not go on without its lock.
    var isCheckpointing = false
}

/// Who is told of a connection's statements.
struct StatementWatch {
    let debugger: SQLDebugger?
    /// True if anybody is told of statements.
    let isWatched: Bool

    init(path: String, connection: Int, _ options: StoreOptions) {
        debugger = SQLDebugger(path: path, connection: connection, options: options)
        isWatched = debugger != nil || options.observer != nil
    }
}
