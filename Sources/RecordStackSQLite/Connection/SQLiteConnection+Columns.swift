import CSQLite

extension SQLiteConnection {
    /// Whether a table's column cannot hold null: a key, or one that was made NOT NULL. The store's own tables say
    /// so and not the model, because a column that was added to rows that were there has no such rule, and nor
    /// has one of a subentity, in whose table other rows have no value.
    ///
    /// A null that another program has forced into such a column is found or not as it happens, with `IS NULL` as
    /// well as without: SQLite goes by the rule itself, takes `IS NULL` for false there, and leaves its index's nulls
    /// in where it looks for smaller values.
    func isNeverNull(table: String, column: String) -> Bool {
        // The row's number, which is no other value.
        if column == SystemColumn.key { return true }
        var isNotNull: Int32 = 0
        let code = sqlite3_table_column_metadata(
            handle, "main", table, column, nil, nil, &isNotNull, nil, nil)
        return code == SQLITE_OK && isNotNull != 0
    }
}
