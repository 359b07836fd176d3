/// How far a backup is.
public struct BackupProgress: Sendable, Hashable {
    /// How many pages were copied.
    public let pagesCopied: Int
    /// How many pages there are.
    public let pageCount: Int

    /// The part that is done, from 0 to 1.
    public var fraction: Double { pageCount == 0 ? 1 : Double(pagesCopied) / Double(pageCount) }

    package init(pagesCopied: Int, pageCount: Int) {
        self.pagesCopied = pagesCopied
        self.pageCount = pageCount
    }
}
