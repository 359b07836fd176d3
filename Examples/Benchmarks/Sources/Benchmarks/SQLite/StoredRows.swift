import GRDBSQLite

/// Looks at what a contender has written, from outside and through a connection of its own.
enum StoredRows {
    /// The persons in a file. SQLite does not tell upper case in a table's name from lower, so that
    /// it reads `person` and our `Person` alike.
    /// Versions are left out: not everyone has them.
    static func fingerprint(of path: String) throws -> Fingerprint {
        let connection = try RawConnection(path: path)
        let columns = PersonSchema.columns.map { $0 == "_version" ? "1" : "\"\($0)\"" }
        let statement = try RawStatement(
            "SELECT \(columns.joined(separator: ", ")) FROM person", on: connection)
        var fingerprint = Fingerprint()
        while sqlite3_step(statement.handle) == SQLITE_ROW {
            fingerprint.add(FloorPerson(statement.handle).row)
        }
        return fingerprint
    }
}
