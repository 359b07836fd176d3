import RecordStack
import Synchronization

/// Collects the stack's `parentMovedOn` warnings.
final class BaseWarnings: Sendable {
    private let messages = Mutex<[String]>([])

    var last: String? { messages.withLock { $0.last } }

    func note(_ warning: StackWarning) {
        if warning.kind == .parentMovedOn { messages.withLock { $0.append(warning.message) } }
    }
}
