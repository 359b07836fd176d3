import CSQLite
import RecordStackModel

/// A compiled statement of a connection.
final class SQLiteStatement {
    let handle: OpaquePointer
    let sql: String
    // `unowned(unsafe)`: the connection owns its statements and finalizes them before it ends, and
    // nothing else keeps one.
    unowned(unsafe) let connection: SQLiteConnection
    /// The log of the statement; nil if there is no recipient.
    let log: StatementLog?
    /// True if the statement is not reported and not counted. It only checks for work to do.
    let isSilent: Bool
    /// The key in the cache; nil for a statement that is found by its text.
    let shape: StatementShape?
    /// The number of rows that this run has returned so far.
    var rowCount = 0
    private var isRunning = false
    private var filler: RowFiller?
    /// The parameters that hold sets of keys until the statement is reset.
    private var lentParameters: [Int32] = []

    init(
        _ sql: String, on connection: SQLiteConnection, isPersistent: Bool = false,
        isSilent: Bool = false, shape: StatementShape? = nil
    ) throws {
        var compiled: OpaquePointer?
        var text = sql
        let code = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_prepare_v3(
                    connection.handle, $0.baseAddress, Int32($0.count),
                    isPersistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0, &compiled, nil)
            }
        }
        guard let compiled, code == SQLITE_OK else {
            throw SQLiteFailure(code: code, handle: connection.handle)
        }
        handle = compiled
        self.sql = sql
        self.connection = connection
        self.isSilent = isSilent
        self.shape = shape
        log =
            isSilent ? nil : connection.watch.debugger.map { StatementLog(debugger: $0, sql: sql) }
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Returns the reader of rows for requests of an entity.
    func filler(entity: Int) -> RowFiller {
        if let filler { return filler }
        let made = RowFiller(statement: self, entity: entity, tables: connection.tables)
        filler = made
        return made
    }

    /// Moves to the next row.
    ///
    /// - Returns: true if there is a row.
    func step() throws -> Bool {
        if !isRunning { begin() }
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW {
            rowCount &+= 1
            return true
        }
        try end(code)
        return false
    }

    private func begin() {
        isRunning = true
        if isSilent { return }
        connection.counters.countStatement()
        guard connection.watch.isWatched else { return }
        connection.options.observer?(.statement(connection: connection.number, sql: sql))
        log?.begin(on: connection.handle)
    }

    /// Ends the statement after a step that returned no row.
    func end(_ code: Int32) throws {
        if code == SQLITE_DONE { return reset() }
        let failure = SQLiteFailure(code: code, handle: connection.handle)
        finish(failure.message)
        sqlite3_reset(handle)
        throw connection.functions.functionFailure.take() ?? failure
    }

    /// Ends the statement with a closure that reads the rest of its rows.
    ///
    /// - Parameter body: counts the rows, and returns the code that ended the statement.
    @inline(__always)
    func finish(_ body: (inout Int) throws -> Int32) throws {
        // A local count, because the closure calls code that may use the statement's own count.
        var rows = 0
        let code: Int32
        do {
            code = try body(&rows)
        } catch {
            rowCount += rows
            throw error
        }
        rowCount += rows
        try end(code)
    }

    /// Counts the rows of the run, and reports its end.
    private func finish(_ failure: String?) {
        guard isRunning else { return }
        isRunning = false
        if isSilent { return rowCount = 0 }
        connection.counters.count(rows: rowCount)
        log?.end(
            rows: sqlite3_column_count(handle) > 0 ? rowCount : nil, failure: failure)
        rowCount = 0
    }

    /// Runs the statement, which returns no rows.
    func run() throws {
        while try step() {}
    }

    /// Ends the statement, and with it a read transaction that it has opened.
    ///
    /// The next binding replaces all bound values: SQLite reads no value that a caller
    /// lent after this.
    func reset() {
        sqlite3_reset(handle)
        if !lentParameters.isEmpty { giveBack() }
        finish(nil)
    }

    /// Binds a set of keys for ``KeptFunction`` and retains it until the statement is reset.
    ///
    /// A change of the set in the meantime changes a copy.
    func lend(_ keys: KeySet, at index: Int32) throws {
        log?.bind("\(keys.count) keys", at: index)
        lentParameters.append(index)
        let code = sqlite3_bind_pointer(
            handle, index, keys.reference.retain().toOpaque(), KeptFunction.pointerType
        ) { keys in
            // Balances `retain()`. SQLite calls this exactly once, even if binding fails.
            keys.map { Unmanaged<AnyObject>.fromOpaque($0).release() }
        }
        try check(code)
    }

    private func giveBack() {
        for index in lentParameters { sqlite3_bind_null(handle, index) }
        lentParameters.removeAll(keepingCapacity: true)
    }
}

extension SQLiteStatement {
    /// The destructor that makes SQLite copy a bound value.
    ///
    /// It is a C macro for the address −1, which Swift does not import. `unsafeBitCast`: SQLite
    /// compares the address and never calls it.
    private static var transient: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    func bind(_ value: StoredValue, at index: Int32) throws {
        let code: Int32
        log?.bind(SQLLiteral.of(value), at: index)
        switch value {
        case .null: code = sqlite3_bind_null(handle, index)
        case .integer(let value): code = sqlite3_bind_int64(handle, index, value)
        case .real(let value): code = sqlite3_bind_double(handle, index, value)
        case .text(var value):
            code = value.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    // Empty text may have no address, and a null address would bind null.
                    $0.baseAddress == nil
                        ? sqlite3_bind_text(handle, index, "", 0, Self.transient)
                        : sqlite3_bind_text(
                            handle, index, $0.baseAddress, Int32($0.count), Self.transient)
                }
            }
        case .blob(let value):
            code = value.withUnsafeBytes {
                $0.isEmpty
                    ? sqlite3_bind_zeroblob(handle, index, 0)
                    : sqlite3_bind_blob(
                        handle, index, $0.baseAddress, Int32($0.count), Self.transient)
            }
        }
        try check(code)
    }

    /// Binds a cell without copying its bytes, which must stay valid until the statement is reset.
    func bind(_ cell: Cell, at index: Int32) throws {
        log?.bind(SQLLiteral.of(cell), at: index)
        let code = cell.bind(to: handle, at: index)
        if code != SQLITE_OK { try check(code) }
    }

    /// Binds bytes without copying them. They must stay valid until the statement is reset.
    func bind(lending bytes: UnsafeRawBufferPointer, at index: Int32) throws {
        log?.bind(SQLLiteral.of(.blob([UInt8](bytes))), at: index)
        try check(sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count), nil))
    }

    func bind(_ value: Int64, at index: Int32) throws {
        log?.bind(String(value), at: index)
        let code = sqlite3_bind_int64(handle, index, value)
        if code != SQLITE_OK { try check(code) }
    }

    func check(_ code: Int32) throws {
        guard code != SQLITE_OK else { return }
        throw SQLiteFailure(code: code, handle: connection.handle)
    }

    func integer(column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// Returns the integer through the value, which skips SQLite's check for errors.
    @inline(__always)
    func plainInteger(column: Int32) -> Int64 {
        sqlite3_value_int64(sqlite3_column_value(handle, column))
    }

    /// Returns the value of a column as a cell, whose bytes are valid until the next step.
    func cell(column: Int32) -> Cell { Cell(column: column, of: handle) }

    func storedValue(column: Int32) -> StoredValue { cell(column: column).storedValue }

    /// Returns the version of a row, or ``RowVersion/noRow`` if the column has no valid version.
    func version(column: Int32) -> RowVersion {
        RowVersion.read(sqlite3_column_value(handle, column))
    }
}

extension SQLiteStatement {
    /// Binds bytes as text, even if they are not UTF-8.
    func bind(text bytes: [UInt8], at index: Int32) throws {
        log?.bind(SQLLiteral.text(String(decoding: bytes, as: UTF8.self)), at: index)
        let code = bytes.withUnsafeBytes {
            sqlite3_bind_text(
                handle, index, $0.assumingMemoryBound(to: CChar.self).baseAddress,
                Int32($0.count), Self.transient)
        }
        try check(code)
    }
}

extension Cell {
    /// Binds the cell without copying its bytes, which must stay valid until the reset.
    ///
    /// - Returns: SQLite's code.
    @inline(__always)
    func bind(to handle: OpaquePointer, at index: Int32) -> Int32 {
        switch tag {
        case .null: sqlite3_bind_null(handle, index)
        case .integer: sqlite3_bind_int64(handle, index, integer)
        case .real: sqlite3_bind_double(handle, index, real)
        case .text:
            sqlite3_bind_text(handle, index, UnsafePointer(bitPattern: UInt(bits)), length, nil)
        case .blob:
            sqlite3_bind_blob(handle, index, UnsafeRawPointer(bitPattern: UInt(bits)), length, nil)
        }
    }
}
