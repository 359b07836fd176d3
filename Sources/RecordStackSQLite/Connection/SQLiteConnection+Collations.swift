import CSQLite
import RecordStackModel

extension SQLiteConnection {
    /// Teaches SQLite the orders of text that it does not know.
    func installCollations() throws {
        let name = Collation.decimal.sqlName
        let code = sqlite3_create_collation_v2(
            handle, name, SQLITE_UTF8, nil,
            { _, length, bytes, otherLength, otherBytes in
                let one = UnsafeRawBufferPointer(start: bytes, count: Int(length))
                let other = UnsafeRawBufferPointer(start: otherBytes, count: Int(otherLength))
                return switch DecimalText.compare(one, other) {
                case .before: -1
                case .same: 0
                case .after: 1
                }
            }, nil)
        if code != SQLITE_OK { throw SQLiteFailure(code: code, handle: handle) }
    }
}

extension Collation {
    /// The name by which SQLite knows it; nil for the one that SQLite uses unasked.
    var sqlName: String? {
        switch self {
        case .binary: nil
        case .decimal: "RECORDSTACK_DECIMAL"
        }
    }
}
