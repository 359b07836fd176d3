package import RecordStackModel
import RecordStackPlatform

extension SQLiteStore {
    package func size() throws -> StoreSize {
        try lendingReader { connection in
            func number(_ pragma: String) throws -> Int {
                Int(try connection.integer("PRAGMA \(pragma)") ?? 0)
            }
            let pages = try number("page_count")
            let pageSize = try number("page_size")
            return StoreSize(
                fileBytes: file.map { Self.bytes($0.path) } ?? pages * pageSize,
                logBytes: file.map { Self.bytes($0.path + "-wal") } ?? 0, pageCount: pages,
                freePageCount: try number("freelist_count"), pageSize: pageSize)
        }
    }

    private static func bytes(_ path: String) -> Int {
        (try? FileStatus(of: path))?.size ?? 0
    }

    /// Calls a closure with a reader that sees the store at one moment.
    func lendingReader<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        let reader = try reader()
        defer { reader.end() }
        // All readers of this target's stores are of this class.
        guard let connection = reader as? SQLiteConnection else {
            preconditionFailure("a reader of another kind of store")
        }
        try connection.beginTransaction()
        return try connection.reporting { try body(connection) }
    }
}
