import RecordStackModel

/// The keys of the rows and join rows that a save has changed, in few bytes.
///
/// The values are in the store. A mark identifies each table, because stacks of different versions
/// of a program have different models. If two tables have the same mark, a reader reads a row that
/// has not changed, which does no harm.
struct ChangedKeys {
    let bytes: [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// A value for more changes than are worth listing.
    static var anything: ChangedKeys { ChangedKeys(bytes: [Group.anything.rawValue]) }

    enum Group: UInt8 {
        case anything, rows, joinRows
    }

    /// The decoded keys.
    struct Listed {
        var rows: [UInt16: Set<Int64>] = [:]
        var joinRows: [UInt16: Set<JoinRow>] = [:]
        private(set) var count = 0

        /// The largest number of rows that are read one by one.
        static var most: Int { 4_096 }

        mutating func add(_ key: Int64, _ mark: UInt16) {
            if rows[mark, default: []].insert(key).inserted { count += 1 }
        }

        mutating func add(_ joinRow: JoinRow, _ mark: UInt16) {
            if joinRows[mark, default: []].insert(joinRow).inserted { count += 1 }
        }
    }

    /// Adds the listed keys.
    ///
    /// - Returns: true if these are all changes of the save.
    func list(into listed: inout Listed) -> Bool {
        var cursor = ByteCursor(bytes[...])
        while let byte = cursor.byte() {
            guard let low = cursor.byte(), let high = cursor.byte(), let count = cursor.varint()
            else { return false }
            let mark = UInt16(low) | UInt16(high) << 8
            let isWhole =
                switch Group(rawValue: byte) {
                case .rows: Self.listRuns(count, mark, &cursor, &listed)
                case .joinRows: Self.listJoinRows(count, mark, &cursor, &listed)
                case .anything, nil: false
                }
            guard isWhole else { return false }
        }
        return true
    }

    private static func listRuns(
        _ count: UInt64, _ mark: UInt16, _ cursor: inout ByteCursor, _ listed: inout Listed
    ) -> Bool {
        var key: UInt64 = 0
        for _ in 0..<min(count, UInt64(Listed.most)) {
            guard let gap = cursor.varint(), let length = cursor.varint(),
                length <= Listed.most, listed.count + Int(length) <= Listed.most
            else { return false }
            key &+= gap
            for _ in 0..<length {
                listed.add(Int64(bitPattern: key), mark)
                key &+= 1
            }
        }
        return count <= Listed.most
    }

    private static func listJoinRows(
        _ count: UInt64, _ mark: UInt16, _ cursor: inout ByteCursor, _ listed: inout Listed
    ) -> Bool {
        for _ in 0..<min(count, UInt64(Listed.most)) {
            guard let first = cursor.varint(), let second = cursor.varint(),
                listed.count < Listed.most
            else { return false }
            listed.add(
                JoinRow(first: Int64(bitPattern: first), second: Int64(bitPattern: second)), mark)
        }
        return count <= Listed.most
    }
}

/// The marks of a model's tables.
struct TableMarks: Sendable {
    let hierarchies: [UInt16]
    let joinTables: [UInt16]

    init(tables: TableMap) {
        hierarchies = tables.tables.map { Self.mark($0.name) }
        joinTables = tables.model.joinTables.map { joinTable in
            let name = LinkSchema(tables: tables).name(of: joinTable)
            // A join table's name may equal the combined name of a table and a column. A reader
            // then reads the rows of both.
            return joinTable.hasOwnTable
                ? Self.mark(name) : Self.mark(name + "." + joinTable.first.column)
        }
    }

    /// Returns the first bits of a hash of the name (FNV-1a), which is the same in every process.
    private static func mark(_ name: String) -> UInt16 {
        var sum: UInt32 = 0x811C_9DC5
        for byte in name.utf8 { sum = (sum ^ UInt32(byte)) &* 0x0100_0193 }
        return UInt16(truncatingIfNeeded: sum ^ (sum >> 16))
    }
}

extension TableMarks {
    /// The number of bytes that is enough for a few keys.
    private static var usualSize: Int { 32 }

    /// Returns the keys of a save's changes, for the other stacks.
    func keys(of changes: ChangeSet, in model: ManagedObjectModel) -> ChangedKeys {
        if changes.isTruncated { return .anything }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.usualSize)
        let entities = changes.entities
        for index in entities.indices {
            if entities[index].deletedThroughKey != nil { return .anything }
            append(
                entities[index], hierarchies[model.modelEntities[entities[index].entity].hierarchy],
                to: &bytes)
            if bytes.count > SaveLog.size { return .anything }
        }
        for links in changes.links where !links.isEmpty {
            append(links, joinTables[links.joinTable], to: &bytes)
            if bytes.count > SaveLog.size { return .anything }
        }
        return ChangedKeys(bytes: bytes)
    }

    private func append(_ entity: EntityChanges, _ mark: UInt16, to bytes: inout [UInt8]) {
        if !entity.insertedKeys.isEmpty { append(entity.insertedKeys, mark, to: &bytes) }
        if !entity.updates.isEmpty { append(entity.updates.map(\.key), mark, to: &bytes) }
        if !entity.deletions.isEmpty { append(entity.deletions.map(\.key), mark, to: &bytes) }
    }

    private func begin(
        _ group: ChangedKeys.Group, _ mark: UInt16, _ count: Int, _ bytes: inout [UInt8]
    ) {
        bytes.append(group.rawValue)
        bytes.append(UInt8(mark & 0xFF))
        bytes.append(UInt8(mark >> 8))
        bytes.appendVarint(UInt64(count))
    }

    /// Appends keys as runs of a start and a length.
    ///
    /// Keys are given out in sequence, and objects that were created together often
    /// change together.
    private func append(
        _ keys: some Collection<Int64>, _ mark: UInt16, to bytes: inout [UInt8]
    ) {
        if keys.count == 1, let key = keys.first {
            begin(.rows, mark, 1, &bytes)
            bytes.appendVarint(UInt64(bitPattern: key))
            return bytes.appendVarint(1)
        }
        var runs: [UInt8] = []
        var count = 0
        var (start, end, last): (UInt64, UInt64, UInt64) = (0, 0, 0)
        func close(_ runs: inout [UInt8]) {
            if end == start { return }
            runs.appendVarint(start &- last)
            runs.appendVarint(end &- start)
            last = end
            count += 1
        }
        // The keys of a large save are usually sorted.
        for key in keys {
            let key = UInt64(bitPattern: key)
            if key != end || end == start {
                close(&runs)
                (start, end) = (key, key)
                if runs.count > SaveLog.size { break }
            }
            end &+= 1
        }
        close(&runs)
        begin(.rows, mark, count, &bytes)
        bytes += runs
    }

    private func append(_ links: LinkChanges, _ mark: UInt16, to bytes: inout [UInt8]) {
        begin(.joinRows, mark, links.count, &bytes)
        let joinRows = links.removed + links.added.map(\.joinRow) + links.moved.map(\.joinRow)
        for joinRow in joinRows {
            bytes.appendVarint(UInt64(bitPattern: joinRow.first))
            bytes.appendVarint(UInt64(bitPattern: joinRow.second))
            if bytes.count > 2 * SaveLog.size { return }
        }
    }
}
