import CSQLite

extension SQLiteConnection {
    /// Returns true if a table's column cannot hold null: a key, or a column created NOT NULL.
    ///
    /// The answer comes from the store's tables and not from the model. A column that was added to
    /// a table with rows has no NOT NULL rule. A column of a subentity has no such rule either,
    /// because rows of other entities have no value in it.
    ///
    /// If another program has forced a null into such a column, a filter may or may not find it,
    /// with `IS NULL` as well as without. SQLite itself relies on the rule: it treats `IS NULL` as
    /// false there, and its searches for smaller values include the nulls of the index.
    func isNeverNull(table: String, column: String) -> Bool {
        // The key is SQLite's rowid, which is never null.
        if column == SystemColumn.key { return true }
        var isNotNull: Int32 = 0
        let code = sqlite3_table_column_metadata(
            handle, "main", table, column, nil, nil, &isNotNull, nil, nil)
        return code == SQLITE_OK && isNotNull != 0
    }
}
