import Foundation
import GRDBSQLite

/// The table of items of the floors and of GRDB.
enum ItemSchema {
    static let tables = """
        CREATE TABLE item (
            "_key" INTEGER PRIMARY KEY, "code" TEXT NOT NULL, "bucket" INTEGER NOT NULL,
            "weight" INTEGER NOT NULL, "box" INTEGER);
        CREATE UNIQUE INDEX item_code ON item("code");
        CREATE INDEX item_bucket ON item("bucket");
        CREATE INDEX item_box ON item("box");
        """

    /// Creates a file with items.
    static func makeStore(at path: String, items count: Int) throws {
        WorkDirectory.removeStore(path)
        let connection = try RawConnection(path: path)
        try connection.execute(tables)
        try connection.execute("BEGIN IMMEDIATE")
        let insert = try RawStatement(
            "INSERT INTO item VALUES (NULL, ?, ?, ?, ?)", on: connection)
        for number in 0..<count {
            insert.handle.bind(ItemPlace.code(number), at: 1)
            insert.handle.bind(Int64(number / 100), at: 2)
            insert.handle.bind(Int64(number), at: 3)
            insert.handle.bind(Int64(number % 1_000 + 1), at: 4)
            try insert.run()
        }
        try connection.execute("COMMIT")
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    static func isThere(_ path: String) throws -> Bool {
        FileManager.default.fileExists(atPath: path)
    }

    /// Returns the number of items in a file, and the sum of their buckets.
    ///
    /// The file can be RecordStack's or a floor's.
    static func contents(of path: String) throws -> (count: Int, sum: Int) {
        let statement = try RawStatement(
            "SELECT count(*), total(\"bucket\") FROM item", on: RawConnection(path: path))
        guard sqlite3_step(statement.handle) == SQLITE_ROW else { throw Failure("no items") }
        return (
            Int(sqlite3_column_int64(statement.handle, 0)),
            Int(sqlite3_column_double(statement.handle, 1))
        )
    }
}
