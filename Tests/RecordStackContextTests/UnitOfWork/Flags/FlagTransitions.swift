import Synchronization

/// The changes of flags that a debug build tells of, each once.
final class FlagTransitions: Sendable {
    private let seen = Mutex<Set<String>>([])

    var observer: @Sendable (_ function: String, _ before: String, _ after: String) -> Void {
        { [self] function, before, after in
            let line = "\(function): \(before) -> \(before == after ? "same" : after)"
            _ = seen.withLock { $0.insert(line) }
        }
    }

    var lines: [String] { seen.withLock { $0.sorted() } }
}
