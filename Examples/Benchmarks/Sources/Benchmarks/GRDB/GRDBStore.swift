import GRDB

/// GRDB on a file that the floors' code has made.
///
/// A DatabasePool, which is what GRDB offers for what a context stack does: one writer and several
/// readers in WAL mode. Each measured run enters it once, so that nothing depends on the choice.
final class GRDBStore: Sendable {
    let pool: DatabasePool

    /// - Parameter autocheckpoint: at how many pages SQLite writes the log back by itself; 0 for never.
    init(path: String, autocheckpoint: Int = 0) throws {
        let pragmas = Pragma.all(autocheckpoint: autocheckpoint)
        var configuration = Configuration()
        // Readers lock what a writer needs for a moment, too.
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

    /// Waits for the transaction, wherever it is called.
    func write(_ body: (Database) throws -> Void) throws { try pool.write(body) }

    func close() throws {
        try pool.close()
    }
}
