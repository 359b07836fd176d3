import CSQLite
import RecordStackPlatform
package import RecordStackModel
import Synchronization

extension SQLiteStore {
    package func reader(inBurst: Bool) throws -> any StoreReader {
        try process.check()
        if let memoryLock {
            memoryLock.lock()
            if pool.withLock({ $0.isClosed }) {
                memoryLock.unlock()
                throw RecordStackError.closedStore
            }
            return writer
        }
        try checkLocationIfDue()
        let (idle, number) = try pool.withLock { pool in
            if pool.isClosed { throw RecordStackError.closedStore }
            let idle = pool.takeIdle(inBurst: inBurst)
            if idle == nil { pool.opened += 1 }
            return (idle, pool.opened)
        }
        let reader = try idle ?? openReader(number: number)
        reader.reading.isInBurst = inBurst
        return reader
    }

    package var readersInUse: Int {
        // The counters include the writer's.
        pool.withLock { max(0, $0.counters.count - 1 - $0.idle.count - $0.standing.count) }
    }

    private func openReader(number: Int) throws -> SQLiteConnection {
        // A store in memory has no separate readers.
        guard let file else { return writer }
        do {
            let reader = try openReader(of: file, number: number)
            lend(reader)
            return reader
        } catch {
            // Another file may have replaced the store, which explains the failure better.
            try file.checkLocation()
            throw (error as? SQLiteFailure)?.error() ?? error
        }
    }

    private func lend(_ reader: SQLiteConnection) {
        reader.onEnd = { [unowned self] in giveBack($0) }
    }

    /// Adds to the readers the connection that checked the store during its opening.
    func adopt(_ reader: SQLiteConnection) {
        reader.counters.reset()
        lend(reader)
        pool.withLock { $0.adopt(reader) }
    }

    /// Returns a new reader, configured and counted.
    func openReader(of file: StoreFile, number: Int) throws -> SQLiteConnection {
        let reader = try SQLiteConnection(
            file: file, role: .reader, number: number, tables: tables, options: options)
        try file.checkLocation()
        try reader.configure()
        pool.withLock { $0.counters.append(reader.counters) }
        return reader
    }

    /// Closes a reader, and keeps its counts.
    func closeReader(_ reader: SQLiteConnection) {
        reader.close()
        pool.withLock { pool in
            pool.counters.removeAll { $0 === reader.counters }
            reader.counters.add(to: &pool.counted)
        }
    }

    /// Checks that the file and its companions are in place, unless they were checked a moment ago.
    ///
    /// The check takes as long as a look-up by key.
    func checkLocationIfDue() throws {
        let now = Int(MonotonicClock.coarseNanoseconds)
        let last = lastLocationCheck.load(ordering: .relaxed)
        guard Double(now - last) >= options.moveCheckInterval * 1_000_000_000, let file
        else { return }
        // After a failure, the next call checks again.
        do {
            try file.checkLocation()
            try file.checkCompanions()
        } catch {
            // Closing removes the log, so a closed store would otherwise be reported as moved.
            try checkOpen()
            throw error
        }
        lastLocationCheck.store(now, ordering: .relaxed)
    }

    /// Returns a reader to the pool, which lends the last one first because its page cache is warm.
    private func giveBack(_ reader: SQLiteConnection) {
        let (keeps, isFirstStanding) = pool.withLock { pool in
            if pool.isClosed || pool.count >= Self.idleReaders { return (false, false) }
            return (true, pool.put(reader))
        }
        if !keeps { closeReader(reader) }
        if isFirstStanding { endStandingLater() }
    }

    private static var idleReaders: Int { 16 }
}

extension SQLiteConnection: StoreReader {
    var statistics: StoreStatistics { counters.statistics }

    /// Begins a read transaction by leaving a statement unfinished.
    ///
    /// A read transaction lasts while a statement that reads has not ended. One unfinished
    /// statement costs less than a `BEGIN` and a `COMMIT`.
    func beginTransaction() throws {
        if reading.isInBurst { return try reporting { try beginInBurst() } }
        // An operation inside another one reads in the outer transaction.
        if reading.holder != nil || sqlite3_get_autocommit(handle) == 0 { return }
        try reporting { try hold(by: cached(Self.holdText)) }
    }

    func position() throws -> StorePosition {
        try reporting {
            try beginUnheard()
            let version = dataVersion
            if let known = reading.knownPosition, known.version == version { return known.position }
            let position = try readPosition()
            reading.knownPosition = (version, position)
            return position
        }
    }

    /// SQLite's number for the state that the last transaction saw. Every commit changes it.
    var dataVersion: UInt32 {
        var version: UInt32 = 0
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
        return version
    }

    var snapshotNumber: SnapshotNumber? { SnapshotNumber(dataVersion, of: self) }

    /// Begins a read transaction as ``beginTransaction()`` does, without a report.
    private func beginUnheard() throws {
        if reading.isInBurst { return try beginInBurst() }
        if reading.holder != nil || sqlite3_get_autocommit(handle) == 0 { return }
        try hold(by: silent(Self.burstText))
    }

    func remoteChanges(since known: StorePosition, author: UInt64) throws -> ChangeSet? {
        if file == nil { return nil }
        return try reporting {
            try RemoteChangesReader(connection: self, marks: marks)
                .changes(since: known) { $0.author != author }.changes
        }
    }

    func end() {
        if !mayStandOn { endTransaction() }
        reading.isCurrent = false
        options.observer?(
            .returned(
                connection: number,
                isIdle: sqlite3_txn_state(handle, nil) == SQLITE_TXN_NONE))
        onEnd?(self)
    }

    /// A statement that reads a number of the first page, which every transaction reads anyway.
    static var holdText: String { "PRAGMA user_version" }

    func count(_ request: StoreRequest) throws -> Int {
        try reporting {
            let statement = try statement(.count(RequestShape(request: request))) {
                var compiler = RequestCompiler(request: request, on: self)
                return try compiler.count()
            }
            return Int(try first(statement) { try $0.bind(counting: request, tables: tables) })
        }
    }

    func exists(_ request: StoreRequest) throws -> Bool {
        try reporting {
            let statement = try statement(.exists(RequestShape(request: request))) {
                var compiler = RequestCompiler(request: request, on: self)
                return try compiler.exists()
            }
            return try first(statement) {
                try $0.bind(request, tables: tables, isSorted: false)
            } != 0
        }
    }

    private func first(
        _ statement: SQLiteStatement, bind: (inout RequestBinder) throws -> Void
    ) throws -> Int64 {
        var binder = RequestBinder(statement: statement)
        try bind(&binder)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(column: 0) : 0
    }

    func rows(_ request: StoreRequest, into sink: any RowSink) throws {
        try reporting {
            let statement = try statement(.rows(RequestShape(request: request))) {
                var compiler = RequestCompiler(request: request, on: self)
                return try compiler.rows()
            }
            var binder = RequestBinder(statement: statement)
            try binder.bind(request, tables: tables, isSorted: true)
            defer { statement.reset() }
            try deliver(statement, request, sink)
        }
    }

    func keys(_ request: StoreRequest, into sink: any RowSink) throws {
        try reporting {
            let statement = try statement(.keys(RequestShape(request: request))) {
                var compiler = RequestCompiler(request: request, on: self)
                return try compiler.keys()
            }
            var binder = RequestBinder(statement: statement)
            try binder.bind(request, tables: tables, isSorted: true)
            defer { statement.reset() }
            let filler = statement.filler(entity: request.entity)
            var hasRow = try statement.step()
            try sink.didBegin()
            if hasRow, let plain = filler.plain {
                return try statement.finish { plain.ask(sink, counting: &$0) }
            }
            if hasRow, let rows = filler.polymorphic {
                return try statement.finish {
                    try rows.ask(sink, counting: &$0, unknownEntity: filler.unknownEntity)
                }
            }
            while hasRow {
                _ = sink.wants(
                    key: statement.integer(column: 0), version: statement.version(column: 1),
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
        if let plain = filler.plain {
            return try statement.finish { try plain.deliver(to: sink, counting: &$0) }
        }
        if let rows = filler.polymorphic {
            return try statement.finish {
                try rows.deliver(to: sink, counting: &$0, unknownEntity: filler.unknownEntity)
            }
        }
        while hasRow {
            try filler.deliverOne(to: sink)
            if sink.stopsEarly && sink.isFull { return }
            hasRow = try statement.step()
        }
    }

    /// Returns the statement with a text. There are few, so a linear search is enough.
    func cached(_ sql: String) throws -> SQLiteStatement {
        if let known = cache.plainStatements.first(where: { $0.sql == sql }) { return known }
        let made = try SQLiteStatement(sql, on: self, isPersistent: true)
        cache.plainStatements.append(made)
        return made
    }

    /// Runs a closure and turns SQLite's failures into errors for the program.
    @inline(__always)
    func reporting<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            let result = try body()
            if isFrozen { try file?.checkFrozen() }
            return result
        } catch let failure as SQLiteFailure {
            if isFrozen { try file?.checkFrozen() }
            throw failure.error()
        }
    }
}
