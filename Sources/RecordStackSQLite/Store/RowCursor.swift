import CSQLite
import RecordStackModel

/// The rows of a statement over a table of one entity, read without touching a reference count:
/// everything in here is a number or an address.
///
/// The statement and its filler outlive it: it is made for one run of the statement.
struct RowCursor {
    let handle: OpaquePointer
    let cells: UnsafeMutablePointer<Cell>
    let width: Int
    let entity: Int

    /// Hands the statement's rows to a sink, from the one that it stands on to the last.
    /// - Parameter rows: goes up with each row after that one.
    /// - Returns: the code that ended it; that of the end where the sink was full before.
    func deliver(to sink: any RowSink, counting rows: inout Int) throws -> Int32 {
        let stride = Self.stride(of: handle, columns: width + 2)
        let stopsEarly = sink.stopsEarly
        try deliverOne(to: sink)
        if stopsEarly && sink.isFull { return SQLITE_DONE }
        var code = sqlite3_step(handle)
        while code == SQLITE_ROW {
            rows &+= 1
            if let stride {
                try deliverOne(to: sink, stride: stride)
            } else {
                try deliverOne(to: sink)
            }
            if stopsEarly && sink.isFull { return SQLITE_DONE }
            code = sqlite3_step(handle)
        }
        return code
    }

    @inline(__always)
    func deliverOne(to sink: any RowSink) throws {
        let key = integer(column: 0)
        let version = RowVersion.read(sqlite3_column_value(handle, 1))
        guard sink.wants(key: key, version: version, entity: entity) else { return }
        for slot in 0..<width { cells[slot] = Cell(column: Int32(slot &+ 2), of: handle) }
        try sink.row(
            RowCells(base: cells, count: width), key: key, version: version, entity: entity)
    }

    /// How far apart the values of the current row lie in memory, if all lie equally far apart.
    ///
    /// SQLite keeps a row as an array, so they do; but it does not promise that. Each run of a
    /// statement therefore looks at its first row, and asks for every value by itself where the
    /// array is none. Asking for one value a row instead of all saves a tenth of a large fetch.
    static func stride(of handle: OpaquePointer, columns: Int) -> Int? {
        guard let first = UnsafeRawPointer(sqlite3_column_value(handle, 0)),
            let second = UnsafeRawPointer(sqlite3_column_value(handle, 1))
        else { return nil }
        let stride = second - first
        for column in 2..<max(2, columns)
        where UnsafeRawPointer(sqlite3_column_value(handle, Int32(column)))
            != first + column * stride
        {
            return nil
        }
        return stride
    }

    /// - Parameter stride: what ``stride`` found for the first row of this run; the first value's
    ///   address is asked for anew with each row.
    @inline(__always)
    private func deliverOne(to sink: any RowSink, stride: Int) throws {
        // A row has a value for the key.
        let first = UnsafeRawPointer(sqlite3_column_value(handle, 0)!)
        let key = sqlite3_value_int64(OpaquePointer(first))
        let version = RowVersion.read(OpaquePointer(first + stride))
        guard sink.wants(key: key, version: version, entity: entity) else { return }
        var value = first + 2 * stride
        for slot in 0..<width {
            cells[slot] = Cell(value: OpaquePointer(value))
            value += stride
        }
        try sink.row(
            RowCells(base: cells, count: width), key: key, version: version, entity: entity)
    }

    /// By way of the value: asking the statement itself takes its lock and looks for errors.
    @inline(__always)
    private func integer(column: Int32) -> Int64 {
        sqlite3_value_int64(sqlite3_column_value(handle, column))
    }

    /// Asks a sink about the statement's rows, from the one that it stands on to the last.
    func ask(_ sink: any RowSink, counting rows: inout Int) -> Int32 {
        while true {
            _ = sink.wants(
                key: integer(column: 0),
                version: RowVersion.read(sqlite3_column_value(handle, 1)), entity: entity)
            let code = sqlite3_step(handle)
            if code != SQLITE_ROW { return code }
            rows &+= 1
        }
    }
}

extension RowVersion {
    /// The version as it stands in the file, where another program may have written anything; ``noRow`` for what is no
    /// version.
    @inline(__always)
    static func read(_ value: OpaquePointer?) -> RowVersion {
        let version = RowVersion(column: sqlite3_value_int64(value))
        guard version.isValid, sqlite3_value_type(value) == SQLITE_INTEGER else { return .noRow }
        return version
    }
}

extension Cell {
    /// The value of a column, whose bytes live until the next step.
    @inline(__always)
    init(column: Int32, of handle: OpaquePointer) {
        self.init(value: sqlite3_column_value(handle, column))
    }

    /// A value of a statement's current row, whose bytes live until the next step.
    @inline(__always)
    init(value: OpaquePointer?) {
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
