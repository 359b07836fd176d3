import Synchronization

/// Keys that a coordinator has leased from its store and not given to a context yet.
final class KeyLease: Sendable {
    private struct State {
        var range: Range<Int64> = 0..<0
        var size = 256
    }

    private let state = Mutex(State())

    /// Takes keys, if there are so many.
    func take(_ count: Int) -> Range<Int64>? {
        state.withLock { state in
            guard state.range.count >= count else { return nil }
            let start = state.range.lowerBound
            state.range = (start + Int64(count))..<state.range.upperBound
            return start..<(start + Int64(count))
        }
    }

    /// How many keys to lease next: more each time, for a program that makes many objects.
    var nextSize: Int { state.withLock { $0.size } }

    /// Whether a save should renew the lease on its way.
    var runsLow: Bool { state.withLock { $0.range.count < $0.size / 4 && $0.size > 256 } }

    /// Takes in what the store has leased. The rest of an older lease is lost.
    func refill(_ keys: Range<Int64>) {
        state.withLock { state in
            state.range = keys
            state.size = min(state.size * 2, 65_536)
        }
    }
}
