import CSQLite
import RecordStackModel

extension SQLiteStore {
    /// Checks in a save's transaction that the store still has this stack's model.
    ///
    /// A newer version of the program may have extended the store. That version could not read rows
    /// that are written without the new columns.
    ///
    /// SQLite recompiles a statement when the tables have changed. If it has not recompiled a
    /// statement that every save runs, the model is unchanged, and the check needs no query.
    func checkModel(_ connection: SQLiteConnection) throws {
        let statement = try connection.tokenStatement()
        let count = sqlite3_stmt_status(statement.handle, SQLITE_STMTSTATUS_REPREPARE, 0)
        if count == connection.tokens.knownRecompilations { return }
        let own = StoreDescription(tables)
        let text = try connection.metadata(Metadata.model)?.text ?? ""
        if !text.hasSameBytes(as: own.text) {
            let stored = try? StoreDescription(text: text)
            if stored != own { throw extended(stored?.differences(from: own)) }
        }
        connection.tokens.knownRecompilations = count
    }

    private func extended(_ differences: [String]?) -> RecordStackError {
        let list = differences?.joined(separator: "; ") ?? "its description is lost"
        return RecordStackError(
            .modelMismatch,
            "A newer version of the program has extended the store while this stack was open: "
                + "\(list). Nothing was saved. Update the program, and "
                + "close this stack.")
    }
}
