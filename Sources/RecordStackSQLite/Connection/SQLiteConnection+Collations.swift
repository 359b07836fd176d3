import CSQLite
import RecordStackModel

extension SQLiteConnection {
    /// Teaches SQLite the orders of text that it does not know.
    func installCollations() throws {
        try install(.decimal) { _, length, bytes, otherLength, otherBytes in
            Collation.decimal.sqliteOrder(length, bytes, otherLength, otherBytes)
        }
        try install(.caseInsensitive) { _, length, bytes, otherLength, otherBytes in
            Collation.caseInsensitive.sqliteOrder(length, bytes, otherLength, otherBytes)
        }
    }

    private func install(
        _ collation: Collation,
        _ compare:
            @convention(c) (
                UnsafeMutableRawPointer?, Int32, UnsafeRawPointer?, Int32, UnsafeRawPointer?
            ) -> Int32
    ) throws {
        let code = sqlite3_create_collation_v2(
            handle, collation.sqlText, SQLITE_UTF8, nil, compare, nil)
        if code != SQLITE_OK { throw SQLiteFailure(code: code, handle: handle) }
    }
}

extension Collation {
    /// The name by which SQLite knows it, which needs no quotes.
    var sqlText: String {
        switch kind {
        case .binary: "BINARY"
        case .decimal: "RECORDSTACK_DECIMAL"
        case .caseInsensitive: "RECORDSTACK_CASELESS"
        }
    }

    fileprivate func sqliteOrder(
        _ length: Int32, _ bytes: UnsafeRawPointer?, _ otherLength: Int32,
        _ otherBytes: UnsafeRawPointer?
    ) -> Int32 {
        let order = compare(
            UnsafeRawBufferPointer(start: bytes, count: Int(length)),
            UnsafeRawBufferPointer(start: otherBytes, count: Int(otherLength)))
        return switch order {
        case .before: -1
        case .same: 0
        case .after: 1
        }
    }
}
