/// The statements and rows of a stack's store since the stack was created.
///
/// ```swift
/// let before = stack.storeStatistics
/// let people = try Person.find(in: context)
/// print((stack.storeStatistics - before).statements)   // 1
/// ```
///
/// Counting is always on, and reading the statistics costs less than a microsecond. Concurrent
/// operations are all counted; the three numbers may then be of slightly different moments.
public struct StoreStatistics: Sendable, Hashable {
    /// The statements that were run, except those that set up a connection.
    public var statements: Int
    /// The rows that statements have returned.
    public var rowsRead: Int
    /// The rows of objects that successful saves have inserted, updated and deleted.
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

    /// Returns the difference of the statistics at two moments.
    public static func - (later: Self, earlier: Self) -> Self {
        Self(
            statements: later.statements - earlier.statements,
            rowsRead: later.rowsRead - earlier.rowsRead,
            rowsWritten: later.rowsWritten - earlier.rowsWritten)
    }
}
