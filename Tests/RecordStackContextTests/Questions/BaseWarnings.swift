import RecordStack
import Synchronization

/// What the stack has said of changes whose base is gone.
final class BaseWarnings: Sendable {
    private let messages = Mutex<[String]>([])

    var last: String? { messages.withLock { $0.last } }

    func note(_ warning: StackWarning) {
        if warning.kind == .parentMovedOn { messages.withLock { $0.append(warning.message) } }
    }
}
