import Synchronization

/// Keys that a coordinator has leased from its store and has not given to a context yet.
final class KeyLease: Sendable {
    private struct State {
        var range: Range<Int64> = 0..<0
        var size = 256
    }

    private let state = Mutex(State())

    /// Takes keys from the lease. Returns nil if the lease has fewer keys.
    func take(_ count: Int) -> Range<Int64>? {
        state.withLock { state in
            guard state.range.count >= count else { return nil }
            let start = state.range.lowerBound
            state.range = (start + Int64(count))..<state.range.upperBound
            return start..<(start + Int64(count))
        }
    }

    /// The number of keys to lease next. It grows with each lease, up to 65,536.
    var nextSize: Int { state.withLock { $0.size } }

    /// Whether the lease runs low, so that a save should renew it.
    var runsLow: Bool { state.withLock { $0.range.count < $0.size / 4 && $0.size > 256 } }

    /// Replaces the lease with newly leased keys. The rest of the old lease is lost.
    func refill(_ keys: Range<Int64>) {
        state.withLock { state in
            state.range = keys
            state.size = min(state.size * 2, 65_536)
        }
    }
}
