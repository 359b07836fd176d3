import GRDB

/// GRDB on a file that the floors' code has made.
///
/// A DatabasePool, which is what GRDB offers for what a context stack does: one writer and several
/// readers in WAL mode. Each measured run enters it once, so that nothing depends on the choice.
final class GRDBStore {
    let pool: DatabasePool

    init(path: String) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            for pragma in Pragma.all() { try database.execute(sql: pragma.statement) }
        }
        pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { database in
            guard let connection = database.sqliteConnection else { return }
            try Pragma.verify(connection)
        }
    }

    func close() throws {
        try pool.close()
    }
}
