import GRDBSQLite

/// **raw**: a transaction for each person, with statements prepared once.
///
/// The table has no versions, and there is no token. SQLite writes the log back automatically, at
/// the same number of pages as RecordStack.
final class RawSaves: Contender {
    let name = "raw"
    private let rows: [PersonRow]
    private let directory: WorkDirectory
    private let path: String
    private var writer: RawTransactions?

    init(_ lab: Lab) {
        rows = lab.savedRows
        directory = lab.directory
        path = lab.directory.path("saves-raw.sqlite")
    }

    func prepare() throws {
        try PersonSchema.makePlainStore(at: path)
        writer = try RawTransactions(path: path)
    }

    func run() throws {
        guard let writer else { return }
        for row in rows { try writer.save(row) }
    }

    func finish() throws {
        writer = nil
        directory.removeStore(path)
    }

    func fingerprint() throws -> Fingerprint {
        try prepare()
        try run()
        let fingerprint = try StoredRows.fingerprint(of: path)
        try finish()
        return fingerprint
    }
}

/// **raw + hops**: the same on an actor that is awaited for each person: one hop there, one back.
final class RawSavesOnActor: Contender {
    let name = "raw + two hops"
    private let rows: [PersonRow]
    private let directory: WorkDirectory
    private let path: String
    private var writer: RawWriter?

    init(_ lab: Lab) {
        rows = lab.savedRows
        directory = lab.directory
        path = lab.directory.path("saves-actor.sqlite")
    }

    func prepare() async throws {
        try PersonSchema.makePlainStore(at: path)
        writer = try await RawWriter(path: path)
    }

    func run() async throws {
        guard let writer else { return }
        for row in rows { try await writer.save(row) }
    }

    func finish() async throws {
        writer = nil
        directory.removeStore(path)
    }

    func fingerprint() async throws -> Fingerprint {
        try await prepare()
        try await run()
        let fingerprint = try StoredRows.fingerprint(of: path)
        try await finish()
        return fingerprint
    }
}

private actor RawWriter {
    private let transactions: RawTransactions

    init(path: String) async throws {
        transactions = try RawTransactions(path: path)
    }

    func save(_ row: PersonRow) throws {
        try transactions.save(row)
    }
}

/// Three statements, prepared once.
private final class RawTransactions {
    private let begin: RawStatement
    private let insert: RawStatement
    private let commit: RawStatement

    init(path: String) throws {
        let connection = try RawConnection(path: path, pragmas: Pragma.all(autocheckpoint: 1_000))
        begin = try RawStatement("BEGIN IMMEDIATE", on: connection)
        insert = try RawStatement(PersonSchema.plainInsertStatement, on: connection)
        commit = try RawStatement("COMMIT", on: connection)
    }

    func save(_ row: PersonRow) throws {
        try begin.run()
        try insert.insertPlain(row)
        try commit.run()
    }
}
