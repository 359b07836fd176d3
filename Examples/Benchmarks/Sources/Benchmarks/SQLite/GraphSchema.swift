/// The floors' tables for persons and their related objects, without versions.
enum GraphSchema {
    private static var tables: String {
        """
        CREATE TABLE company (
            "_key" INTEGER PRIMARY KEY, "number" INTEGER NOT NULL, "name" TEXT NOT NULL);
        CREATE UNIQUE INDEX company_number ON company("number");
        CREATE TABLE person (
            "_key" INTEGER PRIMARY KEY,
            "email" TEXT NOT NULL, "firstName" TEXT NOT NULL, "lastName" TEXT NOT NULL,
            "city" TEXT NOT NULL, "age" INTEGER NOT NULL, "visits" INTEGER NOT NULL, "score" REAL NOT NULL,
            "balance" REAL NOT NULL, "isActive" INTEGER NOT NULL, "note" TEXT,
            "company" INTEGER REFERENCES company DEFERRABLE INITIALLY DEFERRED);
        CREATE UNIQUE INDEX person_email ON person("email");
        CREATE INDEX person_company ON person("company");
        CREATE TABLE note (
            "_key" INTEGER PRIMARY KEY, "text" TEXT NOT NULL, "stars" INTEGER NOT NULL,
            "person" INTEGER REFERENCES person DEFERRABLE INITIALLY DEFERRED);
        CREATE INDEX note_person ON note("person");
        CREATE TABLE tag (
            "_key" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "number" INTEGER NOT NULL);
        CREATE UNIQUE INDEX tag_name ON tag("name");
        CREATE TABLE person_tag (
            "person" INTEGER NOT NULL REFERENCES person DEFERRABLE INITIALLY DEFERRED,
            "tag" INTEGER NOT NULL REFERENCES tag DEFERRABLE INITIALLY DEFERRED,
            PRIMARY KEY ("person", "tag")) WITHOUT ROWID;
        CREATE INDEX person_tag_tag ON person_tag("tag");
        """
    }

    /// Creates a file with the tables and all rows, and with an empty log.
    static func makeStore(at path: String, _ graph: GraphData) throws {
        let connection = try RawConnection(path: path)
        try connection.execute(tables)
        try connection.execute("BEGIN IMMEDIATE")
        let company = try RawStatement("INSERT INTO company VALUES (?,?,?)", on: connection)
        for row in graph.companies {
            try company.run(.integer(row.key), .integer(Int64(row.number)), .text(row.name))
        }
        let person = try RawStatement(PersonSchema.plainInsertStatement, on: connection)
        for row in graph.persons { try person.insertPlain(row) }
        let note = try RawStatement("INSERT INTO note VALUES (?,?,?,?)", on: connection)
        for row in graph.notes {
            try note.run(
                .integer(row.key), .text(row.text), .integer(Int64(row.stars)), .integer(row.person)
            )
        }
        let tag = try RawStatement("INSERT INTO tag VALUES (?,?,?)", on: connection)
        for row in graph.tags {
            try tag.run(.integer(row.key), .text(row.name), .integer(Int64(row.number)))
        }
        let link = try RawStatement("INSERT INTO person_tag VALUES (?,?)", on: connection)
        for row in graph.links { try link.run(.integer(row.person), .integer(row.tag)) }
        try connection.execute("COMMIT")
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}

/// A value for a parameter of a statement, if speed does not matter.
enum RawValue {
    case integer(Int64)
    case text(String)
}

extension RawStatement {
    /// Runs the statement with values for its parameters.
    func run(_ values: RawValue...) throws {
        for (place, value) in values.enumerated() {
            switch value {
            case .integer(let value): handle.bind(value, at: Int32(place + 1))
            case .text(let text): handle.bind(text, at: Int32(place + 1))
            }
        }
        try run()
    }
}
