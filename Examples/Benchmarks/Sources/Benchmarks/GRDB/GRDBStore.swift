import GRDB

/// GRDB on a file that the floors' code has created.
///
/// It uses a DatabasePool, GRDB's counterpart of a context stack: one writer and several readers in
/// WAL mode. Each measured run enters the pool once, so the choice does not affect the result.
final class GRDBStore: Sendable {
    let pool: DatabasePool

    /// Opens the file.
    ///
    /// - Parameter autocheckpoint: the number of pages at which SQLite writes the log
    ///   back; 0 for never.
    init(path: String, autocheckpoint: Int = 0) throws {
        let pragmas = Pragma.all(autocheckpoint: autocheckpoint)
        var configuration = Configuration()
        // Readers also take locks briefly that a writer needs.
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { database in
            for pragma in pragmas { try database.execute(sql: pragma.statement) }
        }
        pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { database in
            guard let connection = database.sqliteConnection else { return }
            try Pragma.verify(connection, pragmas)
        }
    }

    /// Writes in a transaction, and blocks until it ends.
    func write(_ body: (Database) throws -> Void) throws { try pool.write(body) }

    func close() throws {
        try pool.close()
    }
}
