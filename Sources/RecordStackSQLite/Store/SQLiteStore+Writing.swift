import CSQLite
package import RecordStackModel
import Synchronization

extension SQLiteStore {
    /// Runs a closure on the connection that writes, which no other thread uses meanwhile.
    func writing<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        writeStatistics = StoreStatistics()
        try process.check()
        memoryLock?.lock()
        defer { memoryLock?.unlock() }
        try checkOpen()
        // Optional chaining, because `if let` copies the description of the file.
        if options.isReadOnly, let path = file?.path { throw RecordStackError.readOnlyStore(path) }
        do {
            try file?.checkExistence()
            try checkLocationIfDue()
        } catch {
            if let file { writeBackIfRenamed(file) }
            throw error
        }
        let before = writer.statistics
        let writtenBefore = rowsWritten.load(ordering: .relaxed)
        defer {
            writeStatistics = writer.statistics - before
            writeStatistics.rowsWritten = rowsWritten.load(ordering: .relaxed) - writtenBefore
        }
        try writer.prepare()
        return try body(writer)
    }

    package func save(
        _ plan: SavePlan, token: SaveToken, options: SaveOptions,
        willWrite: (RemoteChanges) -> Void
    ) throws -> SaveResult {
        try writing { connection in
            if options.contains(.durable) {
                return try connection.durably { try save(plan, token, willWrite) }
            }
            return try save(plan, token, willWrite)
        }
    }

    private func save(
        _ plan: SavePlan, _ token: SaveToken, _ willWrite: (RemoteChanges) -> Void
    ) throws -> SaveResult {
        let connection = self.writer
        let writer = PlanWriter(plan: plan, connection: connection, store: self)
        let changed = changedKeys(plan.changes, token)
        try begin(connection, willWrite)
        var tokenRow: TokenRow?
        let stale = try run(writer) {
            tokenRow = try connection.setToken(token, changed)
            try checkModel(connection)
        }
        if let stale { return .stale(stale) }
        try commit(connection, danglingReference: writer.danglingReference)
        connection.tokens.tokenRow = tokenRow
        remote.writerVersion = connection.dataVersion
        let summary = plan.changes.summary
        rowsWritten.add(
            summary.inserted + summary.updated + summary.deleted, ordering: .relaxed)
        return .saved(writer.oldPositions)
    }

    package func dryRun(_ plan: SavePlan) throws -> SaveResult {
        try writing { connection in
            let writer = PlanWriter(plan: plan, connection: connection, store: self)
            try begin(connection)
            if let stale = try run(writer, {}) { return .stale(stale) }
            if connection.hasDanglingReferences {
                // The commit fails, and its error names the reference.
                try commit(connection, danglingReference: writer.danglingReference)
            }
            try connection.cached("ROLLBACK").run()
            return .saved(writer.oldPositions)
        }
    }

    /// Runs a plan's statements in the open transaction, and rolls it back if they do not fit.
    ///
    /// - Returns: the rows that are not as the plan expects; nil if there are none.
    private func run(_ writer: PlanWriter, _ finish: () throws -> Void) throws -> [StaleRow]? {
        let connection = self.writer
        do {
            if try writer.write() {
                try finish()
                return nil
            }
            try connection.cached("ROLLBACK").run()
            let stale = try writer.staleRows()
            // All rows are as expected, but a statement did not change one of them.
            if stale.isEmpty && !writer.isOvertaken { throw writer.ignored() }
            return stale
        } catch {
            writer.noteClash(error)
            // The first error is the informative one. SQLite may have rolled back already.
            try? connection.cached("ROLLBACK").run()
            // A stale row may be the reason for the failure of another row.
            if let failure = error as? SQLiteFailure,
                failure.primaryCode == SQLITE_CONSTRAINT,
                let stale = try? writer.staleRows(), !stale.isEmpty
            {
                return stale
            }
            throw writer.describe(error)
        }
    }

    package func perform(
        _ batch: BatchWrite, token: SaveToken, options: SaveOptions,
        willWrite: (RemoteChanges) -> Void, willCommit: (ChangeSet) throws -> Void
    ) throws -> Int {
        try writing { connection in
            if options.contains(.durable) {
                return try connection.durably {
                    try perform(batch, token, willWrite, willCommit)
                }
            }
            return try perform(batch, token, willWrite, willCommit)
        }
    }

    private func perform(
        _ batch: BatchWrite, _ token: SaveToken, _ willWrite: (RemoteChanges) -> Void,
        _ willCommit: (ChangeSet) throws -> Void
    ) throws -> Int {
        let connection = self.writer
        let writer = BatchWriter(batch: batch, connection: connection, store: self)
        try begin(connection, willWrite)
        let (tokenRow, count): (TokenRow, Int)
        do {
            let result = try writer.write()
            count = result.count
            if count == 0 {
                try connection.cached("ROLLBACK").run()
                return 0
            }
            try willCommit(result.changes)
            tokenRow = try connection.setToken(token, changedKeys(result.changes, token))
            try checkModel(connection)
        } catch {
            // The first error is the informative one. SQLite may have rolled back already.
            try? connection.cached("ROLLBACK").run()
            throw writer.describe(error)
        }
        try commit(connection) { $0.error() }
        connection.tokens.tokenRow = tokenRow
        rowsWritten.add(count, ordering: .relaxed)
        return count
    }

    private func begin(_ connection: SQLiteConnection) throws {
        if connection.log == nil && location != .memory {
            connection.log = CoalescingLog.install(on: connection.handle)
        }
        connection.log?.pointee.beginTransaction()
        try connection.reporting { try connection.cached("BEGIN IMMEDIATE").run() }
    }

    /// Begins a transaction, and reports what other stacks have saved before it.
    ///
    /// Contexts must merge commits in the order of the file.
    private func begin(
        _ connection: SQLiteConnection, _ willWrite: (RemoteChanges) -> Void
    ) throws {
        try begin(connection)
        do {
            let remote = try connection.reporting { try remoteChangesInTransaction() }
            if let remote { willWrite(remote) }
        } catch {
            // The first error is the informative one.
            try? connection.cached("ROLLBACK").run()
            throw error
        }
    }

    private func commit(
        _ connection: SQLiteConnection,
        danglingReference: (SQLiteFailure) -> RecordStackError
    ) throws {
        do {
            try connection.cached("COMMIT").run()
        } catch let failure as SQLiteFailure {
            let error =
                failure.code == ResultCode.foreignKey
                ? danglingReference(failure) : failure.errorAtCommit()
            // The transaction must not stay open, whatever the outcome of the commit.
            try? connection.cached("ROLLBACK").run()
            throw error
        }
    }

    package func leaseKeys(hierarchy: Int, count: Int) throws -> Range<Int64> {
        try leasing { try $0.lease(table: tables.tables[hierarchy].name, count: Int64(count)) }
    }

    package func leaseIncarnation(hierarchy: Int, after last: Int64) throws -> Int64 {
        try leasing { try $0.leaseIncarnation(after: last) }
    }

    /// Increments a counter in a separate transaction.
    private func leasing<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        try writing { connection in
            try begin(connection)
            do {
                let result = try body(connection)
                try connection.reporting { try connection.cached("COMMIT").run() }
                return result
            } catch {
                // The first error is the informative one.
                try? connection.cached("ROLLBACK").run()
                throw (error as? SQLiteFailure)?.error() ?? error
            }
        }
    }

    package func close() throws {
        // The connections are the parent's. Closing them here could write back or remove a log that
        // the parent is using.
        guard process.isOwn else { throw RecordStackError.forked }
        let idle = pool.withLock { pool -> [SQLiteConnection]? in
            if pool.isClosed { return nil }
            pool.isClosed = true
            return pool.takeAll()
        }
        guard let idle else { return }
        endWatching()
        OpenStores.remove()
        for reader in idle { closeReader(reader) }
        memoryLock?.lock()
        defer { memoryLock?.unlock() }
        if let file, !options.isReadOnly, (try? file.checkLocation()) != nil,
            (try? file.checkCompanions()) != nil
        {
            // The log stays beside the file if another process still reads it. The next opening of
            // the store finds its content.
            writeBackAtClosing()
        }
        let isMoved = releaseMovedLog()
        writer.close()
        if isMoved { file?.removeCompanions() }
        if let file, let identity = file.identity {
            StoreLocations.shared.remove(file.path, identity)
        }
    }

    /// Writes the log back if the file was renamed.
    ///
    /// The saves are in a log to which the old name leads. They must be in the file before the file
    /// is opened by another name, and before another file gets the old name.
    private func writeBackIfRenamed(_ file: StoreFile) {
        if file.isRenamed { try? writer.writeBackRenamed() }
    }

    /// Writes the log of a renamed file back.
    ///
    /// - Returns: true if no process needs the log and its index any more.
    private func releaseMovedLog() -> Bool {
        guard let file, !options.isReadOnly else { return false }
        if file.isGone { return true }
        guard file.isRenamed else { return false }
        do {
            try writer.writeBackRenamed()
            return true
        } catch {
            writer.watch.debugger?.tell(
                .logGrowth,
                "The file at \(file.path) was renamed, and its log cannot be written back: \(error). Put the file back "
                    + "beside its log; nothing is lost as long as both are together.")
            return false
        }
    }

    private func writeBackAtClosing() {
        do {
            try writer.prepare()
            try writer.checkpoint(mode: SQLITE_CHECKPOINT_TRUNCATE)
        } catch {
            let reason = (error as? SQLiteFailure)?.reasonAgainstCheckpoint ?? "\(error)"
            writer.watch.debugger?.tell(
                .logGrowth,
                "The log stays beside the store, because it cannot be written back: \(reason). "
                    + "Nothing is lost as long as both are together.")
        }
    }
}

extension SQLiteConnection {
    /// Whether the transaction has a dangling reference, so that it cannot be committed.
    fileprivate var hasDanglingReferences: Bool {
        var (count, most) = (Int32(0), Int32(0))
        sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &count, &most, 0)
        return count != 0
    }

    /// Runs a closure whose commit waits until the data is on the disk.
    func durably<Result>(_ body: () throws -> Result) throws -> Result {
        // The pragma takes effect when it is compiled, so it is compiled each time.
        try reporting { try execute("PRAGMA synchronous=FULL") }
        defer {
            // This needs no file access, so it cannot fail. If it did, the next saves would be
            // slower and equally safe.
            try? execute("PRAGMA synchronous=NORMAL")
        }
        return try body()
    }

    func metadata(_ name: String) throws -> StoredValue? {
        let statement = try cached(
            "SELECT value FROM \(SQLText.quoted(Metadata.table)) WHERE name = ?")
        try statement.bind(.text(name), at: 1)
        defer { statement.reset() }
        return try statement.step() ? statement.storedValue(column: 0) : nil
    }

    /// Leases a range of keys above every key that was ever given out or is in the table.
    func lease(table: String, count: Int64) throws -> Range<Int64> {
        let name = Metadata.lease(table)
        // Without the counter, the keys of objects that are not saved yet are unknown.
        guard let next = try metadata(name)?.integer, next > 0 else {
            throw RecordStackError(
                .corrupt,
                "The store has lost count of the keys that it has given to objects in \(table). "
                    + "Restore it from a backup.")
        }
        let largest = try cached(
            "SELECT max(\(SQLText.quoted(SystemColumn.key))) FROM \(SQLText.quoted(table))")
        defer { largest.reset() }
        let taken = try largest.step() ? largest.integer(column: 0) : 0
        let (after, isLast) = taken.addingReportingOverflow(1)
        let start = max(next, after)
        let (end, isTooFar) = start.addingReportingOverflow(count)
        if isLast || isTooFar {
            throw RecordStackError(
                .corrupt,
                "There are no keys left for new objects in \(table): the largest is "
                    + "\(max(taken, next)), which another program gave. Give that row a smaller one."
            )
        }
        try setMetadata(name, end, ofWhat: "a count of keys")
        return start..<end
    }

    /// Returns the next incarnation, later than `last` and those of all re-inserted rows.
    func leaseIncarnation(after last: Int64) throws -> Int64 {
        let next = max(try lastIncarnation(), last) + 1
        if next > RowVersion.lastIncarnation {
            throw RecordStackError(
                .corrupt,
                "Rows that were deleted cannot be inserted again: the store has counted as many as it can, "
                    + "\(RowVersion.lastIncarnation), or another program has. Create new objects instead."
            )
        }
        try setMetadata(
            Metadata.incarnation, next, ofWhat: "a count of rows that are inserted again")
        return next
    }

    /// Returns the last incarnation that was given to re-inserted rows.
    func lastIncarnation() throws -> Int64 {
        let count = try metadata(Metadata.incarnation)?.integer
        // Without the counter, the incarnations of former rows are unknown.
        guard let count, count >= 0, count <= RowVersion.lastIncarnation else {
            throw RecordStackError(
                .corrupt,
                "The store has lost count of the rows that were inserted again. Restore it from a backup."
            )
        }
        return count
    }

    private func setMetadata(_ name: String, _ value: Int64, ofWhat what: String) throws {
        let update = try cached(
            "UPDATE \(SQLText.quoted(Metadata.table)) SET value = ? WHERE name = ?")
        try update.bind(value, at: 1)
        try update.bind(.text(name), at: 2)
        try update.run()
        if sqlite3_changes64(handle) != 1 { throw RecordStackError.ignoredByTrigger(what) }
    }
}
