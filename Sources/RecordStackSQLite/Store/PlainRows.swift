import CSQLite
import RecordStackModel

/// The rows of a statement over a table of one entity, read without touching a reference count:
/// everything in here is a number or an address.
///
/// The statement and its filler outlive it: it is made for one run of the statement.
struct PlainRows {
    let handle: OpaquePointer
    let cells: UnsafeMutablePointer<Cell>
    let width: Int
    let entity: Int

    /// Hands the statement's rows to a sink, from the one that it stands on to the last.
    /// - Returns: the code that ended it.
    func deliver(to sink: any RowSink) throws -> Int32 {
        var code = SQLITE_ROW
        while code == SQLITE_ROW {
            try deliverOne(to: sink)
            code = sqlite3_step(handle)
        }
        return code
    }

    @inline(__always)
    func deliverOne(to sink: any RowSink) throws {
        let key = sqlite3_column_int64(handle, 0)
        let version = sqlite3_column_int64(handle, 1)
        guard sink.wants(key: key, version: version, entity: entity) else { return }
        for slot in 0..<width { cells[slot] = Cell(column: Int32(slot &+ 2), of: handle) }
        try sink.row(
            RowCells(base: cells, count: width), key: key, version: version, entity: entity)
    }

    /// Asks a sink about the statement's rows, from the one that it stands on to the last.
    func ask(_ sink: any RowSink) -> Int32 {
        var code = SQLITE_ROW
        while code == SQLITE_ROW {
            _ = sink.wants(
                key: sqlite3_column_int64(handle, 0), version: sqlite3_column_int64(handle, 1),
                entity: entity)
            code = sqlite3_step(handle)
        }
        return code
    }
}

extension Cell {
    /// The value of a column, whose bytes live until the next step.
    @inline(__always)
    init(column: Int32, of handle: OpaquePointer) {
        let value = sqlite3_column_value(handle, column)
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT:
            self.init(bits: sqlite3_value_double(value).bitPattern, tag: .real)
        case SQLITE_TEXT:
            let text = sqlite3_value_text(value)
            self.init(
                bits: UInt64(UInt(bitPattern: text)), length: sqlite3_value_bytes(value),
                tag: .text)
        case SQLITE_BLOB:
            let blob = sqlite3_value_blob(value)
            self.init(
                bits: UInt64(UInt(bitPattern: blob)), length: sqlite3_value_bytes(value),
                tag: .blob)
        default: self = .null
        }
    }
}
