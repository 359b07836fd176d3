import GRDBSQLite

/// The floor's tables of boxes and items, without versions.
enum BoxSchema {
    private static let tables = """
        CREATE TABLE box ("_key" INTEGER PRIMARY KEY, "number" INTEGER NOT NULL);
        CREATE UNIQUE INDEX box_number ON box("number");
        CREATE TABLE item (
            "_key" INTEGER PRIMARY KEY, "code" TEXT NOT NULL, "bucket" INTEGER NOT NULL,
            "weight" INTEGER NOT NULL,
            "box" INTEGER REFERENCES box DEFERRABLE INITIALLY DEFERRED);
        CREATE UNIQUE INDEX item_code ON item("code");
        CREATE INDEX item_bucket ON item("bucket");
        CREATE INDEX item_box ON item("box");
        """

    /// Creates a file with boxes and their items.
    static func makeStore(at path: String, boxes count: Int) throws {
        WorkDirectory.removeStore(path)
        let connection = try RawConnection(path: path)
        try connection.execute(tables)
        try connection.execute("BEGIN IMMEDIATE")
        let box = try RawStatement("INSERT INTO box VALUES (NULL, ?)", on: connection)
        let item = try RawStatement("INSERT INTO item VALUES (NULL, ?, 0, 0, ?)", on: connection)
        for number in 0..<count {
            try box.run(.integer(Int64(number)))
            for place in 0..<BoxDeletion.itemsEach {
                let code = ItemPlace.code(number * BoxDeletion.itemsEach + place)
                try item.run(.text(code), .integer(Int64(number + 1)))
            }
        }
        try connection.execute("COMMIT")
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Returns the numbers of items and boxes in a file of RecordStack or of the floor.
    static func contents(of path: String) throws -> (items: Int, boxes: Int) {
        let statement = try RawStatement(
            "SELECT (SELECT count(*) FROM item), (SELECT count(*) FROM box)",
            on: RawConnection(path: path))
        guard sqlite3_step(statement.handle) == SQLITE_ROW else { throw Failure("no boxes") }
        return (
            Int(sqlite3_column_int64(statement.handle, 0)),
            Int(sqlite3_column_int64(statement.handle, 1))
        )
    }
}
