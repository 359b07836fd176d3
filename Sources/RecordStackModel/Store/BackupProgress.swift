/// The progress of a backup.
public struct BackupProgress: Sendable, Hashable {
    /// The number of pages copied so far.
    public let pagesCopied: Int
    /// The total number of pages.
    public let pageCount: Int

    /// The completed fraction of the backup, from 0 to 1.
    public var fraction: Double { pageCount == 0 ? 1 : Double(pagesCopied) / Double(pageCount) }

    package init(pagesCopied: Int, pageCount: Int) {
        self.pagesCopied = pagesCopied
        self.pageCount = pageCount
    }
}
