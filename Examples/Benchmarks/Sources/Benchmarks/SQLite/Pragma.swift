import GRDBSQLite

/// What every peer's connection is told before its first use.
struct Pragma {
    let name: String
    let value: String
    /// What the connection answers when it is asked.
    let answer: String

    var statement: String { "PRAGMA \(name)=\(value)" }

    static var all: [Pragma] {
        [
            Pragma(name: "page_size", value: "4096", answer: "4096"),
            Pragma(name: "journal_mode", value: "WAL", answer: "wal"),
            Pragma(name: "synchronous", value: "NORMAL", answer: "1"),
            Pragma(name: "cache_size", value: "-16384", answer: "-16384"),
            Pragma(name: "wal_autocheckpoint", value: "0", answer: "0"),
            Pragma(name: "temp_store", value: "MEMORY", answer: "2"),
            Pragma(name: "mmap_size", value: "0", answer: "0"),
            Pragma(name: "foreign_keys", value: "ON", answer: "1"),
        ]
    }

    static var summary: String {
        all.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
    }

    /// Makes sure that a connection took them.
    static func verify(_ connection: OpaquePointer) throws {
        for pragma in all {
            let answer = ask("PRAGMA \(pragma.name)", connection)
            // A library that is built without mmap has nothing to say about its size.
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
