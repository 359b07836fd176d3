/// The table of the floors and of GRDB.
///
/// It has the columns and the index of RecordStack's table for the same entity.
enum PersonSchema {
    static let columns = [
        "_key", "_version", "email", "firstName", "lastName", "city", "age", "visits", "score",
        "balance", "isActive", "note", "company",
    ]

    static var columnList: String { columns.map { "\"\($0)\"" }.joined(separator: ", ") }

    /// The columns of a table without versions.
    static let plainColumns = columns.filter { $0 != "_version" }

    static var plainColumnList: String {
        plainColumns.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    static var plainInsertStatement: String {
        let marks = plainColumns.map { _ in "?" }.joined(separator: ", ")
        return "INSERT INTO person (\(plainColumnList)) VALUES (\(marks))"
    }

    static var insertStatement: String {
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        return "INSERT INTO person (\(columnList)) VALUES (\(marks))"
    }

    private static func tables(versioned: Bool) -> String {
        """
        CREATE TABLE person (
            "_key" INTEGER PRIMARY KEY, \(versioned ? "\"_version\" INTEGER NOT NULL," : "")
            "email" TEXT NOT NULL, "firstName" TEXT NOT NULL, "lastName" TEXT NOT NULL,
            "city" TEXT NOT NULL, "age" INTEGER NOT NULL, "visits" INTEGER NOT NULL, "score" REAL NOT NULL,
            "balance" REAL NOT NULL, "isActive" INTEGER NOT NULL, "note" TEXT,
            "company" INTEGER NOT NULL);
        CREATE UNIQUE INDEX person_email ON person("email");
        """
    }

    /// Creates a file with the table, with or without the persons, and with an empty log.
    static func makeStore(at path: String, _ data: PersonData, filled: Bool) throws {
        let connection = try RawConnection(path: path)
        try connection.execute(tables(versioned: true))
        try connection.execute("BEGIN IMMEDIATE")
        if filled {
            let statement = try RawStatement(insertStatement, on: connection)
            for person in data.persons { try statement.insert(person) }
        }
        try connection.execute("COMMIT")
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Creates a file with the table without versions, and with the persons of some data.
    static func makePlainStore(at path: String, filledWith data: PersonData? = nil) throws {
        let connection = try RawConnection(path: path)
        try connection.execute(tables(versioned: false))
        if let data {
            try connection.execute("BEGIN IMMEDIATE")
            let statement = try RawStatement(plainInsertStatement, on: connection)
            for person in data.persons { try statement.insertPlain(person) }
            try connection.execute("COMMIT")
        }
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
