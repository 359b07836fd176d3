import CSQLite
import RecordStackModel

extension SQLiteStore {
    /// Looks in a save's transaction whether the store is still one of this stack's model: a newer
    /// version of the program may have extended it, and rows that are written without the new columns
    /// could not be read by it.
    ///
    /// SQLite compiles a statement anew when the tables have changed. That it has not done so with one
    /// that every save runs is known without asking the store.
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
