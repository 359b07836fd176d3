import CSQLite
import RecordStackModel
import Synchronization

/// A connection to a database, which one thread uses at a time.
///
/// - Note: `@unchecked Sendable`: the store hands a connection from thread to thread, through a
///   pool under a lock or as the only writer. The thread that has the connection is the only
///   one that uses it.
final class SQLiteConnection: @unchecked Sendable {
    enum Role {
        case writer, reader
        /// A connection that copies or removes a store and has the file to itself.
        case copier
    }

    /// The file; nil in memory.
    let file: StoreFile?
    /// True if the file is read without locks, so that reading must check for changes.
    let isFrozen: Bool
    let number: Int
    let role: Role
    let tables: TableMap
    let options: StoreOptions
    let handle: OpaquePointer
    let counters = ConnectionCounters()
    let watch: StatementWatch
    var cache = StatementCache()
    var functions = FilterFunctions()
    /// The number of pages in the log after this connection's last commit, for any thread to read.
    let logPages = Atomic(0)
    var busy = BusyWait()
    var isClosed = false
    /// The shim that coalesces writes to the log; nil before the first save and without a log.
    ///
    /// It is freed with the log's file, when the connection is closed.
    var log: UnsafeMutablePointer<CoalescingLog>?
    var tokens = TokenState()
    /// The read transaction that is open, or that was open last.
    var reading = ReadTransaction()
    /// The marks of the tables in the lists of changed rows.
    private(set) lazy var marks = TableMarks(tables: tables)
    /// True if the connection has been configured for its first use.
    private(set) var isConfigured = false
    /// Called when a reader is returned.
    var onEnd: ((SQLiteConnection) -> Void)?

    /// Opens a connection.
    ///
    /// - Parameter file: the file; nil for a database in memory that only this connection uses.
    init(
        file: StoreFile?, role: Role, number: Int, tables: TableMap, options: StoreOptions
    ) throws {
        let path = file?.path ?? SQLiteLocation.memoryPath
        let (name, flags) =
            file?.opening(writes: role != .reader)
            ?? (path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(
            name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, options.vfs)
        guard let handle = opened, code == SQLITE_OK else {
            let error = SQLiteFailure(code: code, handle: opened).error(opening: path)
            sqlite3_close_v2(opened)
            throw error
        }
        self.file = file
        isFrozen = if case .frozen = file?.access { true } else { false }
        self.handle = handle
        self.role = role
        self.number = number
        self.tables = tables
        self.options = options
        watch = StatementWatch(path: path, connection: number, options)
        cache.lookUps = tables.columnsOfSlots.map { Array(repeating: nil, count: $0.count + 1) }
    }

    deinit {
        if !isClosed { close() }
    }

    /// Finalizes the statements and closes the connection.
    func close() {
        isClosed = true
        cache.removeAll()
        reading.holder = nil
        sqlite3_close_v2(handle)
    }
}

extension SQLiteConnection {
    /// Configures the connection before its first use, if that has not happened yet.
    func prepare() throws {
        if isConfigured { return }
        try reporting { try configure() }
        // The store may have changed since another connection checked it.
        tokens.knownRecompilations = nil
    }

    /// Configures the connection for its first use.
    func configure() throws {
        installBusyHandler()
        try installCollations()
        recordstack_config_int(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
        recordstack_config_int(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
        recordstack_config_int(handle, SQLITE_DBCONFIG_DQS_DML, 0)
        recordstack_config_int(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        try execute("PRAGMA wal_autocheckpoint=0")
        try execute("PRAGMA mmap_size=0")
        try execute("PRAGMA cache_size=-\(options.cacheSize)")
        try execute("PRAGMA temp_store=MEMORY")
        if role == .writer {
            try execute("PRAGMA foreign_keys=ON")
            try execute("PRAGMA synchronous=NORMAL")
            if let limit = options.pageLimit { try execute("PRAGMA max_page_count=\(limit)") }
            observeLog()
        }
        if let limit = options.valueLimit {
            sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(limit))
        }
        counters.reset()
        isConfigured = true
        options.observer?(.opened(connection: number))
    }

    /// Runs a closure in a read transaction.
    func reading<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("BEGIN")
        defer {
            // A failure to end a transaction that only read has no effect.
            try? execute("COMMIT")
        }
        return try body()
    }

    /// Whether the file's header says that the database has a WAL and is writable.
    func hasHeaderWithLog() -> Bool {
        var versions: (write: UInt8, read: UInt8) = (0, 0)
        // Every database has the two versions at this offset; 2 is the first version with a WAL.
        return recordstack_read_file(handle, &versions, 2, 18) == SQLITE_OK && versions == (2, 2)
    }

    /// Returns true if the path leads to a different file than the open one.
    func hasMoved() throws -> Bool {
        var moved: Int32 = 0
        let code = sqlite3_file_control(handle, nil, SQLITE_FCNTL_HAS_MOVED, &moved)
        if code != SQLITE_OK { throw SQLiteFailure(code: code, handle: handle) }
        return moved != 0
    }

    /// Runs a statement without parameters and ignores its rows.
    func execute(_ sql: String) throws {
        let statement = try SQLiteStatement(sql, on: self)
        while try statement.step() {}
    }

    /// Returns the first column of the first row as text.
    func text(_ sql: String, _ bindings: StoredValue...) throws -> String? {
        try value(sql, bindings)?.text
    }

    /// Returns the first column of the first row as an integer.
    func integer(_ sql: String, _ bindings: StoredValue...) throws -> Int64? {
        try value(sql, bindings)?.integer
    }

    /// Runs a statement with parameters and ignores its rows.
    func run(_ sql: String, _ bindings: StoredValue...) throws {
        _ = try value(sql, bindings)
    }

    /// Runs a statement with parameters and ignores its rows.
    func run(_ sql: String, _ bindings: [StoredValue]) throws {
        _ = try value(sql, bindings)
    }

    private func value(_ sql: String, _ bindings: [StoredValue]) throws -> StoredValue? {
        let statement = try SQLiteStatement(sql, on: self)
        for (index, binding) in bindings.enumerated() {
            try statement.bind(binding, at: Int32(index + 1))
        }
        // The reset reports the end of the statement, even if it has more rows.
        defer { statement.reset() }
        return try statement.step() ? statement.storedValue(column: 0) : nil
    }

    /// Returns the statement of a shape, compiled on first use.
    func statement(
        _ shape: StatementShape, _ sql: () throws -> String
    ) throws -> SQLiteStatement {
        if let statement = cache.statement(of: shape) { return statement }
        let text = try sql()
        try prepareFunctions(for: text)
        let statement = try SQLiteStatement(
            text, on: self, isPersistent: true, shape: shape.withoutValues)
        cache.add(statement)
        assert(cache.statement(of: shape) != nil, "A shape without values is another shape.")
        return statement
    }
}

extension StoredValue {
    var text: String? { if case .text(let value) = self { value } else { nil } }
    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
}
