import GRDBSQLite

/// Reads a contender's rows from its file, through a separate connection.
enum StoredRows {
    /// Returns the fingerprint of the persons in a file.
    ///
    /// Table names in SQLite are case-insensitive, so the query reads both `person` and
    /// RecordStack's `Person`. Versions are left out, because not all tables have them.
    static func fingerprint(of path: String) throws -> Fingerprint {
        try fingerprint(on: try RawConnection(path: path), company: "\"company\"")
    }

    /// Returns the fingerprint of persons in a file with companies, each identified by its number.
    static func nestedFingerprint(of path: String) throws -> Fingerprint {
        try fingerprint(on: try RawConnection(path: path), company: companyNumber)
    }

    /// The SQL of the company's number. Each store numbers its own companies.
    static let companyNumber = "(SELECT \"number\" FROM company WHERE \"_key\" = \"company\")"

    /// Returns the fingerprint of the persons in a file.
    ///
    /// - Parameter company: the SQL that identifies a person's company.
    static func fingerprint(
        on connection: RawConnection, company: String
    ) throws -> Fingerprint {
        let columns = PersonSchema.columns.map { name in
            switch name {
            case "_version": "1"
            case "company": company
            default: "\"\(name)\""
            }
        }
        let statement = try RawStatement(
            "SELECT \(columns.joined(separator: ", ")) FROM person", on: connection)
        var fingerprint = Fingerprint()
        while sqlite3_step(statement.handle) == SQLITE_ROW {
            fingerprint.add(FloorPerson(statement.handle).row)
        }
        return fingerprint
    }
}
