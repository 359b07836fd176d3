import RecordStackModel
import RecordStackPlatform
import Synchronization

/// The threads on which life-cycle hooks of a coordinator's objects run at this moment.
///
/// Hooks run in the middle of operations: a save that one of them begins would be a save inside of a
/// save, or would wait for a block that waits for the hook.
final class HookThreads: Sendable {
    /// The names of the hooks under way on each thread, the innermost last.
    private let hooks = Mutex<[UInt: [String]]>([:])
    /// How many hooks are under way at all. What asks for those of a thread hardly ever finds any.
    private let count = Atomic(0)

    /// Runs hooks of a name.
    func running<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
        let thread = CurrentThread.id
        hooks.withLock { $0[thread, default: []].append(name) }
        count.add(1, ordering: .relaxed)
        defer {
            count.subtract(1, ordering: .relaxed)
            hooks.withLock { hooks in
                hooks[thread]?.removeLast()
                if hooks[thread]?.isEmpty == true { hooks[thread] = nil }
            }
        }
        return try body()
    }

    /// The hook that runs on this thread.
    private var current: String? {
        // A thread sees what it has counted itself.
        if count.load(ordering: .relaxed) == 0 { return nil }
        let thread = CurrentThread.id
        return hooks.withLock { $0[thread]?.last }
    }

    /// How many hooks run in one another on this thread.
    var depth: Int {
        if count.load(ordering: .relaxed) == 0 { return 0 }
        let thread = CurrentThread.id
        return hooks.withLock { $0[thread]?.count ?? 0 }
    }

    /// - Throws: ``RecordStackError/Code/misuse`` inside of a hook.
    func refuse(_ call: String) throws {
        guard let current else { return }
        throw RecordStackError(
            .misuse,
            "\(call) was called inside \(current), which is called in the middle of an operation. "
                + "What the hook changes is saved with the rest, or stays a change: save when the "
                + "operation has returned.")
    }
}
