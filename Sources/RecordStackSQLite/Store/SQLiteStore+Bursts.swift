import Dispatch
import RecordStackModel
import Synchronization

extension SQLiteStore {
    package func endBursts() {
        pool.withLock { _ = $0.endStanding { _ in true } }
    }

    /// Runs a closure during which no read transaction outlives its operation.
    func withoutStanding<Result>(_ body: () throws -> Result) rethrows -> Result {
        pool.withLock { $0.refuseStanding(true) }
        defer { pool.withLock { $0.refuseStanding(false) } }
        return try body()
    }

    /// Schedules the end of transactions that still stand after a burst has paused.
    func endStandingLater() {
        let pause = DispatchTimeInterval.milliseconds(StandingTransaction.longest)
        DispatchQueue.global().asyncAfter(deadline: .now() + pause) { [weak self] in
            guard let self else { return }
            let oneStays = pool.withLock { pool in
                pool.endStanding { $0.reading.standing?.isOld ?? true }
            }
            if oneStays { endStandingLater() }
        }
    }
}
