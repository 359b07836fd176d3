import CSQLite
package import RecordStackModel
import Synchronization

/// A stack's knowledge of the saves that other stacks have made to its file.
struct RemoteSaves {
    /// SQLite's number for commits of other connections than the writer; nil before the first look.
    var version: Int64?
    /// The writer's own version number after a save of the stack.
    ///
    /// The writer's own commits change this number as well. At that time, the stack had reported
    /// all earlier saves to its contexts. Reading this number costs less than reading `version`.
    var writerVersion: UInt32?
    /// The saves that the stack has reported to its contexts.
    var position: StorePosition
    /// The authors of this stack's own tokens.
    var authors: [UInt64] = []
}

extension SQLiteStore {
    /// Returns the changed keys that a save leaves for the other stacks.
    func changedKeys(_ changes: ChangeSet, _ token: SaveToken) -> ChangedKeys {
        if file == nil { return .anything }
        if !remote.authors.contains(token.author) { remote.authors.append(token.author) }
        return marks.keys(of: changes, in: tables.model)
    }

    package var openedPosition: StorePosition { remote.position }

    package func remoteChanges() throws -> RemoteChanges? {
        guard file != nil, process.isOwn, !pool.withLock({ $0.isClosed }) else { return nil }
        try writer.prepare()
        return try writer.reporting {
            let version = try writer.foreignDataVersion()
            if version == remote.version { return nil }
            return try writer.inSilentTransaction { try readRemoteChanges(at: version) }
        }
    }

    /// Returns the saves of other stacks, in a writer's transaction that has changed nothing yet.
    func remoteChangesInTransaction() throws -> RemoteChanges? {
        if file == nil || writer.dataVersion == remote.writerVersion { return nil }
        let version = try writer.foreignDataVersion()
        return version == remote.version ? nil : try readRemoteChanges(at: version)
    }

    private func readRemoteChanges(at version: Int64) throws -> RemoteChanges? {
        let reader = RemoteChangesReader(connection: writer, marks: marks)
        let authors = remote.authors
        let (changes, position) = try reader.changes(since: remote.position) {
            !authors.contains($0.author)
        }
        remote.position = position
        remote.version = version
        return changes.map { RemoteChanges(changes: $0, position: position) }
    }
}

/// Reads what other stacks have saved, in a transaction.
struct RemoteChangesReader {
    let connection: SQLiteConnection
    let marks: TableMarks
    private var tables: TableMap { connection.tables }

    /// Reads the rows that other stacks have changed since a position.
    ///
    /// - Parameter isRemote: returns true if a token is another stack's.
    /// - Returns: the changed rows as they are now, and the position now; nil if no other
    ///   stack has saved.
    func changes(
        since known: StorePosition, where isRemote: (SaveToken) -> Bool
    ) throws -> (changes: ChangeSet?, position: StorePosition) {
        var position = known
        var listed = ChangedKeys.Listed()
        var (isNews, isComplete) = (false, true)
        for (row, bytes) in try connection.tokenRows() {
            guard let token = SaveToken(stored: bytes[...]), token != known[row] else { continue }
            position.update(token, at: row)
            if !isRemote(token) { continue }
            isNews = true
            guard isComplete, let saves = SaveLog.changes(in: bytes, since: known[row]) else {
                isComplete = false
                continue
            }
            isComplete = saves.allSatisfy { $0.list(into: &listed) }
        }
        guard isNews else { return (nil, position) }
        return (isComplete ? try read(listed) : ChangeSet(isTruncated: true), position)
    }

    private func read(_ listed: ChangedKeys.Listed) throws -> ChangeSet {
        var entities: [EntityChanges] = []
        for hierarchy in tables.model.hierarchies {
            guard let keys = listed.rows[marks.hierarchies[hierarchy.index]] else { continue }
            let sink = RemoteRows(of: hierarchy, in: tables.model)
            try connection.rows(.keys(keys.sorted(), entity: hierarchy.root), into: sink)
            entities += sink.changes(asked: keys)
        }
        let links = try tables.model.joinTables.compactMap { joinTable in
            try listed.joinRows[marks.joinTables[joinTable.index]].map {
                try read($0, of: joinTable)
            }
        }
        return ChangeSet(entities: entities, links: links)
    }

    private func read(_ joinRows: Set<JoinRow>, of joinTable: JoinTable) throws -> LinkChanges {
        var changes = LinkChanges(joinTable: joinTable.index)
        for joinRow in joinRows.sorted(by: { ($0.first, $0.second) < ($1.first, $1.second) }) {
            let row = try connection.storedRow(of: joinRow, in: joinTable)
            switch (row, joinTable.hasOwnTable) {
            case (let row?, true): changes.added.append(row)
            case (let row?, false): changes.moved.append(row)
            case (nil, true): changes.removed.append(joinRow)
            // The row of the member says which relationship it belongs to now.
            case (nil, false): break
            }
        }
        return changes
    }
}

extension SQLiteConnection {
    fileprivate func foreignDataVersion() throws -> Int64 {
        let statement = try silent("PRAGMA data_version")
        defer { statement.reset() }
        return try statement.step() ? statement.integer(column: 0) : 0
    }

    fileprivate func inSilentTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        try silent("BEGIN").run()
        defer {
            // A failure to end a transaction that only read has no effect.
            try? silent("COMMIT").run()
        }
        return try body()
    }

    /// Returns the set of saves that the transaction contains.
    func readPosition() throws -> StorePosition {
        let statement = try silent(
            "SELECT id, substr(value, 1, ?) FROM \(SQLText.quoted(Metadata.table)) "
                + "WHERE name >= ? AND name < ?")
        try statement.bind(SaveToken.size, at: 1)
        try statement.bind(.text(Metadata.firstToken), at: 2)
        try statement.bind(.text(Metadata.pastTokens), at: 3)
        defer { statement.reset() }
        var position = StorePosition()
        while try statement.step() {
            guard let bytes = statement.storedValue(column: 1).blob,
                let token = SaveToken(stored: bytes[...])
            else { continue }
            position.update(token, at: statement.integer(column: 0))
        }
        return position
    }

    /// Returns the contents of the token rows, with the keys of the rows.
    fileprivate func tokenRows() throws -> [(key: Int64, bytes: [UInt8])] {
        let statement = try silent(
            "SELECT id, value FROM \(SQLText.quoted(Metadata.table)) WHERE name >= ? AND name < ?")
        try statement.bind(.text(Metadata.firstToken), at: 1)
        try statement.bind(.text(Metadata.pastTokens), at: 2)
        defer { statement.reset() }
        var rows: [(Int64, [UInt8])] = []
        while try statement.step() {
            guard let bytes = statement.storedValue(column: 1).blob else { continue }
            rows.append((statement.integer(column: 0), bytes))
        }
        return rows
    }

    /// Returns a join row with its positions in the store, or nil if the store does not have it.
    fileprivate func storedRow(
        of joinRow: JoinRow, in joinTable: JoinTable
    ) throws -> LinkChanges.Row? {
        let statement = try statement(.positions(joinTable.index)) {
            LinkSchema(tables: tables).positions(of: joinTable)
        }
        try statement.bind(joinRow.first, at: 1)
        try statement.bind(joinRow.second, at: 2)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return statement.row(of: joinRow, in: joinTable, firstPosition: 1)
    }

    /// Returns a statement that only checks for work to do, and that is not reported.
    func silent(_ sql: String) throws -> SQLiteStatement {
        if let known = cache.silentStatements.first(where: { $0.sql == sql }) { return known }
        let made = try SQLiteStatement(sql, on: self, isPersistent: true, isSilent: true)
        cache.silentStatements.append(made)
        return made
    }
}

extension SQLiteStatement {
    /// Returns a join row with its positions, which the statement has read.
    ///
    /// - Parameter column: the column of the first position.
    func row(
        of joinRow: JoinRow, in joinTable: JoinTable, firstPosition column: Int32
    ) -> LinkChanges.Row {
        var row = LinkChanges.Row(joinRow: joinRow)
        var column = column
        if joinTable.first.isOrdered {
            row.position = storedValue(column: column).position
            column += 1
        }
        if joinTable.second.isOrdered && joinTable.hasOwnTable {
            row.inversePosition = storedValue(column: column).position
        }
        return row
    }
}

extension StoredValue {
    /// A position in an order; nil for any other value, which reading the members reports.
    fileprivate var position: Int64? { integer.flatMap { isOrderPosition($0) ? $0 : nil } }
}

/// Collects whole rows that other stacks have changed.
private final class RemoteRows: RowSink {
    private let hierarchy: Hierarchy
    private let model: ManagedObjectModel
    private var changes: [Int: EntityChanges] = [:]
    private var found: Set<Int64> = []

    init(of hierarchy: Hierarchy, in model: ManagedObjectModel) {
        self.hierarchy = hierarchy
        self.model = model
    }

    func row(_ cells: borrowing RowCells, key: Int64, version: RowVersion, entity: Int) throws {
        found.insert(key)
        let row = RowBatch(copying: cells)
        var entry = changes.removeValue(forKey: entity) ?? empty(entity)
        if version.isReinsertion {
            // The row was deleted in between, and has been re-inserted.
            entry.insertedKeys.append(key)
            entry.inserted.append(values: row.values(row: 0))
            entry.reinsertedVersions[key] = version
        } else {
            entry.updates.append(
                EntityChanges.Update(
                    key: key, version: version.previous, slots: SlotSet(all: row.width)))
            entry.updated.append(values: row.values(row: 0))
            entry.bases.append { writer in for _ in 0..<row.width { writer.appendNull() } }
        }
        changes[entity] = entry
    }

    /// Returns the changes of the rows.
    ///
    /// - Parameter keys: the keys that were read. Those without a row were deleted.
    func changes(asked keys: Set<Int64>) -> [EntityChanges] {
        let gone = keys.subtracting(found).sorted()
        if !gone.isEmpty {
            // The entity of a deleted row is unknown, so every entity of the hierarchy
            // lists its key.
            for entity in hierarchy.entities {
                changes[entity, default: empty(entity)].alreadyDeletedKeys = gone
            }
        }
        return changes.sorted { $0.key < $1.key }.map(\.value)
    }

    private func empty(_ entity: Int) -> EntityChanges {
        var changes = EntityChanges(
            entity: entity, width: model.modelEntities[entity].description.slots.count)
        changes.lacksBaseImage = true
        return changes
    }
}
