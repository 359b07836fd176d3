import Synchronization

/// The values that were visible when another value was set. No value is set twice.
final class HeldTrace: Sendable {
    private let seen = Mutex<[String: Set<String>]>([:])

    func note(_ value: String, after others: String...) {
        seen.withLock { $0[value, default: []].formUnion(others) }
    }

    /// Whether a value was visible to the setter of another, directly or through the values it saw.
    func knows(_ value: String, of other: String) -> Bool {
        seen.withLock { seen in
            var (known, found) = ([value], Set<String>())
            while let next = known.popLast() {
                if next == other { return true }
                if found.insert(next).inserted { known += seen[next] ?? [] }
            }
            return false
        }
    }
}
