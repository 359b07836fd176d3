import GRDBSQLite

/// A person with all values, filled by typed reads in the order of the columns.
final class FloorPerson {
    var key: Int64
    var version: Int64
    var email: String
    var firstName: String
    var lastName: String
    var city: String
    var age: Int
    var visits: Int
    var score: Double
    var balance: Double
    var isActive: Bool
    var note: String?
    var company: Int64

    init(_ row: OpaquePointer) {
        key = sqlite3_column_int64(row, 0)
        version = sqlite3_column_int64(row, 1)
        email = Self.text(row, 2)
        firstName = Self.text(row, 3)
        lastName = Self.text(row, 4)
        city = Self.text(row, 5)
        age = Int(sqlite3_column_int64(row, 6))
        visits = Int(sqlite3_column_int64(row, 7))
        score = sqlite3_column_double(row, 8)
        balance = sqlite3_column_double(row, 9)
        isActive = sqlite3_column_int(row, 10) != 0
        note = sqlite3_column_type(row, 11) == SQLITE_NULL ? nil : Self.text(row, 11)
        company = sqlite3_column_int64(row, 12)
    }

    private static func text(_ row: OpaquePointer, _ column: Int32) -> String {
        // SQLite's text is valid until the next call on the statement, and the count is
        // that of the text.
        let bytes = UnsafeBufferPointer(
            start: sqlite3_column_text(row, column), count: Int(sqlite3_column_bytes(row, column)))
        return String(decoding: bytes, as: UTF8.self)
    }
}
