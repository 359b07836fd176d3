/// The size of a store.
public struct StoreSize: Sendable, Hashable {
    /// The size in bytes of the file or, for a store in memory, of its pages.
    public let fileBytes: Int
    /// The size of the WAL in bytes, or 0 for a store in memory.
    ///
    /// The WAL is SQLite's write-ahead log, a file next to the database file. After a checkpoint,
    /// SQLite overwrites the WAL from the start. The WAL becomes shorter only after it has grown
    /// very long, and when the last stack closes.
    public let logBytes: Int
    /// The number of pages in the store.
    public let pageCount: Int
    /// The number of empty pages.
    ///
    /// SQLite reuses empty pages for new rows. `ContextStack.vacuum()` removes them from the file.
    public let freePageCount: Int
    /// The size of a page, in bytes.
    public let pageSize: Int

    package init(
        fileBytes: Int, logBytes: Int, pageCount: Int, freePageCount: Int, pageSize: Int
    ) {
        self.fileBytes = fileBytes
        self.logBytes = logBytes
        self.pageCount = pageCount
        self.freePageCount = freePageCount
        self.pageSize = pageSize
    }
}
