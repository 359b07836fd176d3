extension StoreStatistics: CustomStringConvertible {
    /// The counts as text: `3 statements, 12 rows read, 2 rows written`.
    public var description: String {
        "\(statements) statements, \(rowsRead) rows read, \(rowsWritten) rows written"
    }
}

extension StoreSize: CustomStringConvertible {
    /// The sizes in bytes, and the number of pages.
    ///
    /// For example: `40960 bytes and 4152 in the log, 10 pages of 4096, 2 of them free`.
    public var description: String {
        "\(fileBytes) bytes and \(logBytes) in the log, \(pageCount) pages of \(pageSize), "
            + "\(freePageCount) of them free"
    }
}

extension BackupProgress: CustomStringConvertible {
    /// The pages as text: `128 of 1024 pages`.
    public var description: String { "\(pagesCopied) of \(pageCount) pages" }
}
