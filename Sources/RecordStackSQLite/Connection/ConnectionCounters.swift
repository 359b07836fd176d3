import RecordStackModel
import Synchronization

/// What a connection has done. It alone counts, whoever likes reads: so no step of it needs the
/// processor's locks, and counting takes the time of an ordinary addition.
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

    /// Forgets what the connection was told before its first use.
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
