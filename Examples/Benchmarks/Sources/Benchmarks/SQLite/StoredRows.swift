import GRDBSQLite

/// Looks at what a contender has written, from outside and through a connection of its own.
enum StoredRows {
    /// The persons in a file. SQLite does not tell upper case in a table's name from lower, so that
    /// it reads `person` and our `Person` alike.
    static func fingerprint(of path: String) throws -> Fingerprint {
        let connection = try RawConnection(path: path)
        let columns = PersonSchema.columns.dropLast().map { "p.\"\($0)\"" }.joined(separator: ", ")
        let statement = try RawStatement(
            """
            SELECT \(columns), c."name"
            FROM person AS p LEFT JOIN company AS c ON c."_key" = p."company"
            """, on: connection)
        var fingerprint = Fingerprint()
        while sqlite3_step(statement.handle) == SQLITE_ROW {
            var row = FloorPerson(statement.handle).row
            row.company = CompanyRow.key(ofName: statement.handle.text(12))
            fingerprint.add(row)
        }
        return fingerprint
    }
}
