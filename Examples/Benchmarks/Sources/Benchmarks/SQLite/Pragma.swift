import GRDBSQLite

/// A pragma that every peer's connection sets before its first use.
struct Pragma {
    let name: String
    let value: String
    /// The value that the connection then returns.
    let answer: String

    var statement: String { "PRAGMA \(name)=\(value)" }

    /// Returns the pragmas of a connection.
    ///
    /// - Parameter autocheckpoint: the number of pages at which SQLite writes the log
    ///   back; 0 for never.
    static func all(autocheckpoint: Int = 0) -> [Pragma] {
        [
            Pragma(name: "page_size", value: "4096", answer: "4096"),
            Pragma(name: "journal_mode", value: "WAL", answer: "wal"),
            Pragma(name: "synchronous", value: "NORMAL", answer: "1"),
            Pragma(name: "cache_size", value: "-16384", answer: "-16384"),
            Pragma(
                name: "wal_autocheckpoint", value: "\(autocheckpoint)",
                answer: "\(autocheckpoint)"),
            Pragma(name: "temp_store", value: "MEMORY", answer: "2"),
            Pragma(name: "mmap_size", value: "0", answer: "0"),
            Pragma(name: "foreign_keys", value: "ON", answer: "1"),
        ]
    }

    /// All statements in one text.
    static var script: String {
        all().map { "\($0.statement);" }.joined(separator: " ")
    }

    static var summary: String {
        all().map { "\($0.name)=\($0.value)" }.joined(separator: " ")
    }

    /// Checks that a connection has accepted the pragmas.
    static func verify(_ connection: OpaquePointer, _ pragmas: [Pragma] = all()) throws {
        for pragma in pragmas {
            let answer = ask("PRAGMA \(pragma.name)", connection)
            // A library that is built without mmap returns no value for its size.
            if answer == nil && pragma.name == "mmap_size" { continue }
            guard answer == pragma.answer else {
                throw Failure("PRAGMA \(pragma.name) is \(answer ?? "unknown")")
            }
        }
    }

    private static func ask(_ sql: String, _ connection: OpaquePointer) -> String? {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW, let statement
        else { return nil }
        return statement.text(0)
    }
}
