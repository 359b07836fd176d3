/// The tables of the floors and of GRDB: the columns, indexes and foreign key of the table that
/// RecordStack makes for the same entities, under names of their own.
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
        CREATE TABLE company (
            "_key" INTEGER PRIMARY KEY, "_version" INTEGER NOT NULL, "name" TEXT NOT NULL);
        CREATE TABLE person (
            "_key" INTEGER PRIMARY KEY, "_version" INTEGER NOT NULL, "email" TEXT NOT NULL,
            "firstName" TEXT NOT NULL, "lastName" TEXT NOT NULL, "city" TEXT NOT NULL,
            "age" INTEGER NOT NULL, "visits" INTEGER NOT NULL, "score" REAL NOT NULL,
            "balance" REAL NOT NULL, "isActive" INTEGER NOT NULL, "note" TEXT,
            "company" INTEGER REFERENCES company("_key") DEFERRABLE INITIALLY DEFERRED);
        CREATE UNIQUE INDEX person_email ON person("email");
        CREATE INDEX person_company ON person("company");
        """

    /// Makes a file with the tables and the companies, and the persons where asked for, and leaves
    /// nothing of it in a log.
    static func makeStore(at path: String, _ data: PersonData, filled: Bool) throws {
        let connection = try RawConnection(path: path)
        try connection.execute(tables)
        try connection.execute("BEGIN IMMEDIATE")
        for company in data.companies {
            try connection.execute(
                "INSERT INTO company VALUES (\(company.key), 1, '\(company.name)')")
        }
        if filled {
            let statement = try RawStatement(insertStatement, on: connection)
            for person in data.persons { try statement.insert(person) }
        }
        try connection.execute("COMMIT")
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
