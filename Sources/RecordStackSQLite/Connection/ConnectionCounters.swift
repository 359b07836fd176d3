import RecordStackModel
import Synchronization

/// The counts of a connection's statements and rows.
///
/// Only the connection writes them, and any thread may read them. Counting therefore needs no
/// atomic read-modify-write, and costs an ordinary addition.
final class ConnectionCounters: Sendable {
    private let statements = Atomic(0)
    private let rows = Atomic(0)

    @inline(__always)
    func countStatement() {
        statements.store(statements.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }

    @inline(__always)
    func count(rows count: Int) {
        rows.store(rows.load(ordering: .relaxed) &+ count, ordering: .relaxed)
    }

    /// Clears the counts of the statements that configure the connection.
    func reset() {
        statements.store(0, ordering: .relaxed)
        rows.store(0, ordering: .relaxed)
    }

    var statistics: StoreStatistics {
        StoreStatistics(
            statements: statements.load(ordering: .relaxed),
            rowsRead: rows.load(ordering: .relaxed),
            rowsWritten: 0)
    }

    func add(to statistics: inout StoreStatistics) {
        statistics.statements += statements.load(ordering: .relaxed)
        statistics.rowsRead += rows.load(ordering: .relaxed)
    }
}
