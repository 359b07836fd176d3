/// The table of the floors and of GRDB: the columns and the index of the table that RecordStack
/// makes for the same entity.
enum PersonSchema {
    static let columns = [
        "_key", "_version", "email", "firstName", "lastName", "city", "age", "visits", "score",
        "balance", "isActive", "note", "company",
    ]

    static var columnList: String { columns.map { "\"\($0)\"" }.joined(separator: ", ") }

    static var insertStatement: String {
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        return "INSERT INTO person (\(columnList)) VALUES (\(marks))"
    }

    private static let tables = """
        CREATE TABLE person (
            "_key" INTEGER PRIMARY KEY, "_version" INTEGER NOT NULL, "email" TEXT NOT NULL,
            "firstName" TEXT NOT NULL, "lastName" TEXT NOT NULL, "city" TEXT NOT NULL,
            "age" INTEGER NOT NULL, "visits" INTEGER NOT NULL, "score" REAL NOT NULL,
            "balance" REAL NOT NULL, "isActive" INTEGER NOT NULL, "note" TEXT,
            "company" INTEGER NOT NULL);
        CREATE UNIQUE INDEX person_email ON person("email");
        """

    /// Makes a file with the table, and the persons where asked for, and leaves nothing of it in a
    /// log.
    static func makeStore(at path: String, _ data: PersonData, filled: Bool) throws {
        let connection = try RawConnection(path: path)
        try connection.execute(tables)
        try connection.execute("BEGIN IMMEDIATE")
        if filled {
            let statement = try RawStatement(insertStatement, on: connection)
            for person in data.persons { try statement.insert(person) }
        }
        try connection.execute("COMMIT")
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
