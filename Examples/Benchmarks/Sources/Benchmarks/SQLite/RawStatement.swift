import GRDBSQLite

/// A statement that is prepared once and used many times.
final class RawStatement {
    let handle: OpaquePointer
    let connection: RawConnection

    init(_ sql: String, on connection: RawConnection) throws {
        var prepared: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let code = sqlite3_prepare_v3(connection.handle, sql, -1, flags, &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw connection.failure() }
        handle = prepared
        self.connection = connection
    }

    deinit {
        sqlite3_finalize(handle)
    }
}

/// The floors' calls of a statement, directly through the C API.
extension OpaquePointer {
    /// Returns a text column by pointer and length.
    @inline(__always)
    func text(_ column: Int32) -> String {
        // SQLite's text is valid until the next call on the statement, and the count is
        // that of the text.
        let bytes = UnsafeBufferPointer(
            start: sqlite3_column_text(self, column),
            count: Int(sqlite3_column_bytes(self, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a text column that may be null.
    @inline(__always)
    func optionalText(_ column: Int32) -> String? {
        sqlite3_column_type(self, column) == SQLITE_NULL ? nil : text(column)
    }

    @inline(__always)
    func bind(_ value: Int64, at index: Int32) {
        sqlite3_bind_int64(self, index, value)
    }

    /// Binds a text by pointer and length; SQLite copies it.
    @inline(__always)
    func bind(_ text: String, at index: Int32) {
        var text = text
        text.withUTF8 { bytes in
            // Pointer and length come from one buffer.
            bytes.withMemoryRebound(to: CChar.self) {
                _ = sqlite3_bind_text(self, index, $0.baseAddress, Int32($0.count), transient)
            }
        }
    }
}

/// SQLITE_TRANSIENT, a macro that Swift does not import.
private var transient: sqlite3_destructor_type {
    // `unsafeBitCast`: the C header defines it as the bits of −1; SQLite compares it and
    // never calls it.
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
