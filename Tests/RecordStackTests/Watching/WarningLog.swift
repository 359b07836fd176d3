import Dispatch
import RecordStack
import Synchronization

/// A log that keeps the warnings of a stack, and can wait for the next warning.
final class WarningLog: Sendable {
    private let kept = Mutex<[StackWarning]>([])
    private let arrival = DispatchSemaphore(value: 0)

    var warnings: [StackWarning] { kept.withLock { $0 } }

    func messages(_ kind: StackWarning.Kind) -> [String] {
        warnings.filter { $0.kind == kind }.map(\.message)
    }

    /// Returns options with which a stack warns only this log.
    func options() -> StoreOptions {
        var options = StoreOptions()
        options.watching.warnings = true
        options.watching.handler = { [self] warning in
            kept.withLock { $0.append(warning) }
            arrival.signal()
        }
        return options
    }

    /// Waits for another warning.
    func waitForNext() { arrival.wait() }
}
