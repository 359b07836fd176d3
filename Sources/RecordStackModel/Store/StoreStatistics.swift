/// What a stack has asked of its store since it was made.
///
/// ```swift
/// let before = stack.storeStatistics
/// let people = try Person.find(in: context)
/// print((stack.storeStatistics - before).statements)   // 1
/// ```
///
/// Reading it costs less than a microsecond, and counting is always on. Operations that run at the
/// same time are counted each; the three numbers may be of slightly different moments then.
public struct StoreStatistics: Sendable, Hashable {
    /// Statements that were run, without those that set a connection up.
    public var statements: Int
    /// Rows that statements have returned.
    public var rowsRead: Int
    /// Rows of objects that were inserted, updated and deleted by saves that succeeded.
    public var rowsWritten: Int

    /// Nothing.
    public init() {
        self.init(statements: 0, rowsRead: 0, rowsWritten: 0)
    }

    package init(statements: Int, rowsRead: Int, rowsWritten: Int) {
        self.statements = statements
        self.rowsRead = rowsRead
        self.rowsWritten = rowsWritten
    }

    /// What two stores have done.
    package static func + (one: Self, other: Self) -> Self {
        Self(
            statements: one.statements + other.statements,
            rowsRead: one.rowsRead + other.rowsRead,
            rowsWritten: one.rowsWritten + other.rowsWritten)
    }

    /// What was asked between two moments.
    public static func - (later: Self, earlier: Self) -> Self {
        Self(
            statements: later.statements - earlier.statements,
            rowsRead: later.rowsRead - earlier.rowsRead,
            rowsWritten: later.rowsWritten - earlier.rowsWritten)
    }
}
