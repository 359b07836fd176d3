import CSQLite
package import RecordStackModel
import Synchronization

extension SQLiteStore {
    package func reader() throws -> any StoreReader {
        if let memoryLock {
            memoryLock.lock()
            if pool.withLock({ $0.isClosed }) {
                memoryLock.unlock()
                throw RecordStackError.closedStore
            }
            return writer
        }
        let (idle, number) = try pool.withLock { pool in
            if pool.isClosed { throw RecordStackError.closedStore }
            let idle = pool.idle.popLast()
            if idle == nil { pool.opened += 1 }
            return (idle, pool.opened)
        }
        return try idle ?? openReader(number: number)
    }

    private func openReader(number: Int) throws -> SQLiteConnection {
        // A store in memory has no readers of its own.
        guard case .file(let path) = location else { return writer }
        do {
            let reader = try SQLiteConnection(
                path: path, flags: SQLITE_OPEN_READONLY, role: .reader, number: number,
                tables: tables, options: options)
            try reader.configure()
            reader.onEnd = { [unowned self] in giveBack($0) }
            return reader
        } catch let failure as SQLiteFailure {
            throw failure.error()
        }
    }

    /// The reader used last is lent first: its pages are warm.
    private func giveBack(_ reader: SQLiteConnection) {
        let keep = pool.withLock { pool in
            if pool.isClosed || pool.idle.count >= Self.idleReaders { return false }
            pool.idle.append(reader)
            return true
        }
        if !keep { reader.close() }
    }

    private static var idleReaders: Int { 16 }
}

extension SQLiteConnection: StoreReader {
    func beginTransaction() throws {
        // An operation inside of another one reads in its transaction.
        if sqlite3_get_autocommit(handle) == 0 { return }
        try reporting { try cached("BEGIN").run() }
    }

    func end() {
        if sqlite3_get_autocommit(handle) == 0, role == .reader || onEnd != nil {
            // Ending a transaction that only read cannot fail in a way that matters: the reader's
            // locks go with it either way.
            try? cached("COMMIT").run()
        }
        options.observer?(
            .returned(
                connection: number,
                isIdle: sqlite3_txn_state(handle, nil) == SQLITE_TXN_NONE))
        onEnd?(self)
    }

    func count(_ request: StoreRequest) throws -> Int {
        try reporting {
            let statement = try statement(.count(RequestShape(request: request))) {
                var compiler = RequestCompiler(request: request, tables: tables)
                return try compiler.count()
            }
            return Int(try first(statement, request))
        }
    }

    func exists(_ request: StoreRequest) throws -> Bool {
        try reporting {
            let statement = try statement(.exists(RequestShape(request: request))) {
                var compiler = RequestCompiler(request: request, tables: tables)
                return try compiler.exists()
            }
            return try first(statement, request) != 0
        }
    }

    private func first(_ statement: SQLiteStatement, _ request: StoreRequest) throws -> Int64 {
        var binder = RequestBinder(statement: statement)
        try binder.bind(request, tables: tables)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(column: 0) : 0
    }

    func rows(_ request: StoreRequest, into sink: any RowSink) throws {
        try reporting {
            let statement = try statement(.rows(RequestShape(request: request))) {
                var compiler = RequestCompiler(request: request, tables: tables)
                return try compiler.rows()
            }
            var binder = RequestBinder(statement: statement)
            try binder.bind(request, tables: tables)
            defer { statement.reset() }
            try deliver(statement, request, sink)
        }
    }

    func keys(_ request: StoreRequest, into sink: any RowSink) throws {
        try reporting {
            let statement = try statement(.keys(RequestShape(request: request))) {
                var compiler = RequestCompiler(request: request, tables: tables)
                return try compiler.keys()
            }
            var binder = RequestBinder(statement: statement)
            try binder.bind(request, tables: tables)
            defer { statement.reset() }
            let filler = statement.filler(entity: request.entity)
            var hasRow = try statement.step()
            try sink.didBegin()
            if hasRow, let plain = filler.plain { return try statement.end(plain.ask(sink)) }
            while hasRow {
                _ = sink.wants(
                    key: statement.integer(column: 0), version: statement.integer(column: 1),
                    entity: try filler.entity())
                hasRow = try statement.step()
            }
        }
    }

    private func deliver(
        _ statement: SQLiteStatement, _ request: StoreRequest, _ sink: any RowSink
    ) throws {
        var hasRow = try statement.step()
        try sink.didBegin()
        if !hasRow { return }
        let filler = statement.filler(entity: request.entity)
        if let plain = filler.plain { return try statement.end(plain.deliver(to: sink)) }
        while hasRow {
            try filler.deliverOne(to: sink)
            hasRow = try statement.step()
        }
    }

    /// Statements without parameters are few, so they are cached by their text.
    func cached(_ sql: String) throws -> SQLiteStatement {
        try statement(.plain(sql)) { sql }
    }

    /// Runs a body whose failures leave the store.
    func reporting<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as SQLiteFailure {
            throw failure.error()
        }
    }
}
