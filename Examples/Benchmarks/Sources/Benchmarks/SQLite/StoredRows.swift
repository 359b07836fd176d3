import GRDBSQLite

/// Looks at what a contender has written, from outside and through a connection of its own.
enum StoredRows {
    /// The persons in a file. SQLite does not tell upper case in a table's name from lower, so that
    /// it reads `person` and our `Person` alike.
    /// Versions are left out: not everyone has them.
    static func fingerprint(of path: String) throws -> Fingerprint {
        try fingerprint(on: try RawConnection(path: path), company: "\"company\"")
    }

    /// The persons in a file that has the companies as well, each known by its number.
    static func nestedFingerprint(of path: String) throws -> Fingerprint {
        try fingerprint(on: try RawConnection(path: path), company: companyNumber)
    }

    /// Each store numbers its own companies.
    static let companyNumber = "(SELECT \"number\" FROM company WHERE \"_key\" = \"company\")"

    /// - Parameter company: what stands for a person's company.
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
