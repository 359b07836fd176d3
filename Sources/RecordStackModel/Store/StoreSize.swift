/// How large a store is.
public struct StoreSize: Sendable, Hashable {
    /// The size of the file, in bytes; of a store in memory, what its pages take.
    public let fileBytes: Int
    /// The size of the write-ahead log beside the file, in bytes; 0 in memory. The log is written
    /// back into the file now and then, and is used anew; it gets shorter when it had become very
    /// long, and when the last stack closes.
    public let logBytes: Int
    /// How many pages the store has.
    public let pageCount: Int
    /// How many of the pages are empty. New objects take them; `ContextStack.vacuum()`
    /// gives them back.
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
