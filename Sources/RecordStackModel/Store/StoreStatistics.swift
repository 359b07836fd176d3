/// The numbers of statements and rows of a stack's store since the stack was created.
///
/// ```swift
/// let before = stack.storeStatistics
/// let people = try Person.find(in: context)
/// print((stack.storeStatistics - before).statements)   // 1
/// ```
///
/// Counting is always on, and you can read the statistics in less than a microsecond. All
/// concurrent operations are counted. While operations run, the three numbers may come from
/// slightly different moments.
public struct StoreStatistics: Sendable, Hashable {
    /// The number of statements that were run, without those that set up a connection.
    public var statements: Int
    /// The number of rows that statements have returned.
    public var rowsRead: Int
    /// The number of rows of objects that successful saves have inserted, updated and deleted.
    public var rowsWritten: Int

    /// Creates statistics with all counts at 0.
    public init() {
        self.init(statements: 0, rowsRead: 0, rowsWritten: 0)
    }

    package init(statements: Int, rowsRead: Int, rowsWritten: Int) {
        self.statements = statements
        self.rowsRead = rowsRead
        self.rowsWritten = rowsWritten
    }

    /// Returns the sum of the statistics of two stores.
    package static func + (one: Self, other: Self) -> Self {
        Self(
            statements: one.statements + other.statements,
            rowsRead: one.rowsRead + other.rowsRead,
            rowsWritten: one.rowsWritten + other.rowsWritten)
    }

    /// Returns the counts for the time between two moments.
    public static func - (later: Self, earlier: Self) -> Self {
        Self(
            statements: later.statements - earlier.statements,
            rowsRead: later.rowsRead - earlier.rowsRead,
            rowsWritten: later.rowsWritten - earlier.rowsWritten)
    }
}
