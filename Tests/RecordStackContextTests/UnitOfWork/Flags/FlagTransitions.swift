import Synchronization

/// The changes of flags that a debug build tells of, each once.
final class FlagTransitions: Sendable {
    private let seen = Mutex<Set<String>>([])

    var observer: @Sendable (_ place: String, _ before: String, _ after: String) -> Void {
        { [self] place, before, after in
            let line = "\(place): \(before) -> \(before == after ? "same" : after)"
            _ = seen.withLock { $0.insert(line) }
        }
    }

    var lines: [String] { seen.withLock { $0.sorted() } }
}
