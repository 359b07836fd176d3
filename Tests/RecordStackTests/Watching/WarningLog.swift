import Dispatch
import RecordStack
import Synchronization

/// Keeps the warnings of a stack, and lets somebody wait for them.
final class WarningLog: Sendable {
    private let kept = Mutex<[StackWarning]>([])
    private let arrival = DispatchSemaphore(value: 0)

    var warnings: [StackWarning] { kept.withLock { $0 } }

    func messages(_ kind: StackWarning.Kind) -> [String] {
        warnings.filter { $0.kind == kind }.map(\.message)
    }

    /// Options with which a stack warns this log alone.
    func options() -> StoreOptions {
        var options = StoreOptions()
        options.watching.warnings = true
        options.watching.handler = { [self] warning in
            kept.withLock { $0.append(warning) }
            arrival.signal()
        }
        return options
    }

    /// Returns when another warning has come.
    func waitForNext() { arrival.wait() }
}
