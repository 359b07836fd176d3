import CSQLite
import RecordStackPlatform
import RecordStackModel

/// A cursor over rows of several entities that changes no reference counts.
///
/// All of its properties are numbers and addresses. It exists for one run of the statement, so the
/// statement and its filler outlive it.
struct PolymorphicRows {
    /// An entity that may have rows in the table.
    struct Kind {
        let entity: Int
        let name: UnsafeRawBufferPointer
        /// The columns of its slots, counted from the first column of an attribute.
        let columns: UnsafeBufferPointer<Int>
    }

    let handle: OpaquePointer
    let cells: UnsafeMutablePointer<Cell>
    let kinds: UnsafeBufferPointer<Kind>
    /// The distance between a row's values: see ``RowCursor/stride(of:columns:)``.
    let stride: Int

    /// The number of system columns before those of attributes: key, version, entity.
    private static var systemColumns: Int { 3 }

    /// Passes the statement's rows to a sink, from the current row to the last.
    ///
    /// - Parameters:
    ///   - rows: incremented for each row after the current one.
    ///   - unknownEntity: returns the error for a row of an unexpected entity.
    /// - Returns: the code that ended the statement; SQLITE_DONE if the sink became full before.
    func deliver(
        to sink: any RowSink, counting rows: inout Int,
        unknownEntity: (String) -> RecordStackError
    ) throws -> Int32 {
        let stopsEarly = sink.stopsEarly
        return try forEach(counting: &rows, unknownEntity: unknownEntity) { first, kind in
            try deliver(first, kind, to: sink)
            return !(stopsEarly && sink.isFull)
        }
    }

    /// Passes the statement's keys to a sink, from the current row to the last.
    func ask(
        _ sink: any RowSink, counting rows: inout Int,
        unknownEntity: (String) -> RecordStackError
    ) throws -> Int32 {
        try forEach(counting: &rows, unknownEntity: unknownEntity) { first, kind in
            _ = sink.wants(key: key(first), version: version(first), entity: kind.entity)
            return true
        }
    }

    @inline(__always)
    private func forEach(
        counting rows: inout Int, unknownEntity: (String) -> RecordStackError,
        _ body: (_ first: UnsafeRawPointer, _ kind: Kind) throws -> Bool
    ) throws -> Int32 {
        var last = 0
        while true {
            // Every row has a value for the key.
            let first = UnsafeRawPointer(sqlite3_column_value(handle, 0)!)
            guard let index = kind(of: first + 2 * stride, last) else {
                throw unknownEntity(Cell(value: OpaquePointer(first + 2 * stride)).text)
            }
            last = index
            if try !body(first, kinds[index]) { return SQLITE_DONE }
            let code = sqlite3_step(handle)
            if code != SQLITE_ROW { return code }
            rows &+= 1
        }
    }

    private func key(_ first: UnsafeRawPointer) -> Int64 {
        sqlite3_value_int64(OpaquePointer(first))
    }

    private func version(_ first: UnsafeRawPointer) -> RowVersion {
        RowVersion.read(OpaquePointer(first + stride))
    }

    @inline(__always)
    private func deliver(_ first: UnsafeRawPointer, _ kind: Kind, to sink: any RowSink) throws {
        let (key, version) = (key(first), version(first))
        guard sink.wants(key: key, version: version, entity: kind.entity) else { return }
        let attributes = first + Self.systemColumns * stride
        for slot in kind.columns.indices {
            cells[slot] = Cell(value: OpaquePointer(attributes + kind.columns[slot] * stride))
        }
        try sink.row(
            RowCells(base: cells, count: kind.columns.count), key: key, version: version,
            entity: kind.entity)
    }

    /// Returns the index of a row's entity. Most rows have the same entity as the row before.
    @inline(__always)
    private func kind(of value: UnsafeRawPointer, _ last: Int) -> Int? {
        let name = OpaquePointer(value)
        guard sqlite3_value_type(name) == SQLITE_TEXT, let text = sqlite3_value_text(name) else {
            return nil
        }
        let count = Int(sqlite3_value_bytes(name))
        if isName(of: kinds[last], text, count) { return last }
        return kinds.indices.first { isName(of: kinds[$0], text, count) }
    }

    @inline(__always)
    private func isName(of kind: Kind, _ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        // An entity's name is not empty, so it has an address.
        kind.name.count == count && Bytes.areEqual(kind.name.baseAddress!, text, count: count)
    }
}

/// The entities of a table and their columns, in memory from which rows can be read.
final class KindTable {
    let kinds: UnsafeMutableBufferPointer<PolymorphicRows.Kind>

    /// Creates the table of kinds.
    ///
    /// - Parameter entities: the entities that may have rows.
    init(of entities: [ModelEntity], columns: [[Int]]) {
        kinds = .allocate(capacity: entities.count)
        for (index, entity) in entities.enumerated() {
            let name = UnsafeMutableRawBufferPointer.allocate(
                byteCount: entity.name.utf8.count, alignment: 1)
            name.copyBytes(from: entity.name.utf8)
            let own = UnsafeMutableBufferPointer<Int>.allocate(
                capacity: columns[entity.index].count)
            _ = own.initialize(from: columns[entity.index])
            kinds.initializeElement(
                at: index,
                to: PolymorphicRows.Kind(
                    entity: entity.index, name: UnsafeRawBufferPointer(name),
                    columns: UnsafeBufferPointer(own)))
        }
    }

    deinit {
        for kind in kinds {
            kind.name.deallocate()
            kind.columns.deallocate()
        }
        kinds.deallocate()
    }
}
