import CSQLite
import RecordStackModel

/// A cursor over rows of one entity that changes no reference counts.
///
/// All of its properties are numbers and addresses. It exists for one run of the statement, so the
/// statement and its filler outlive it.
struct RowCursor {
    let handle: OpaquePointer
    let cells: UnsafeMutablePointer<Cell>
    let width: Int
    let entity: Int

    /// Passes the statement's rows to a sink, from the current row to the last.
    ///
    /// - Parameter rows: incremented for each row after the current one.
    /// - Returns: the code that ended the statement; SQLITE_DONE if the sink became full before.
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

    /// Returns the distance in memory between the values of the current row, if it is constant.
    ///
    /// SQLite keeps a row as an array, so the distance is constant in practice, but SQLite does not
    /// guarantee it. Each run of a statement therefore checks its first row, and reads every value
    /// separately if the values form no array. Requesting one value of a row instead of all saves a
    /// tenth of a large fetch.
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

    /// Passes the current row to a sink.
    ///
    /// - Parameter stride: the distance that ``stride(of:columns:)`` found for the first row of
    ///   this run. The address of the first value is requested for each row.
    @inline(__always)
    private func deliverOne(to sink: any RowSink, stride: Int) throws {
        // Every row has a value for the key.
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

    /// Returns the integer through the value, which avoids a lock and a check for errors.
    @inline(__always)
    private func integer(column: Int32) -> Int64 {
        sqlite3_value_int64(sqlite3_column_value(handle, column))
    }

    /// Passes the statement's keys to a sink, from the current row to the last.
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
    /// Reads a version from the file, which another program may have written.
    ///
    /// Returns ``noRow`` if the value is not a valid version.
    @inline(__always)
    static func read(_ value: OpaquePointer?) -> RowVersion {
        let version = RowVersion(column: sqlite3_value_int64(value))
        guard version.isValid, sqlite3_value_type(value) == SQLITE_INTEGER else { return .noRow }
        return version
    }
}

extension Cell {
    /// Reads the value of a column, whose bytes are valid until the next step.
    @inline(__always)
    init(column: Int32, of handle: OpaquePointer) {
        self.init(value: sqlite3_column_value(handle, column))
    }

    /// Reads a value of a statement's current row, whose bytes are valid until the next step.
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
