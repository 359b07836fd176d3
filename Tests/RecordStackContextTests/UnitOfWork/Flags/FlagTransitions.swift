import Synchronization

/// The distinct flag changes that a debug build reports.
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
