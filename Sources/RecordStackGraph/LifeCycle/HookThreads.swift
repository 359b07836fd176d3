import RecordStackModel
import RecordStackPlatform
import Synchronization

/// The threads on which life-cycle hooks of a coordinator's objects are running.
///
/// Hooks run in the middle of operations. A save that a hook begins would be a save inside a save,
/// or would wait for a block that waits for the hook.
final class HookThreads: Sendable {
    /// The names of the running hooks on each thread, the innermost last.
    private let hooks = Mutex<[UInt: [String]]>([:])
    /// The number of running hooks on all threads. It is hardly ever more than 0.
    private let count = Atomic(0)

    /// Runs a body as a hook of a name.
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

    /// The innermost hook that is running on this thread; nil if there is none.
    private var current: String? {
        // A thread always sees what it has counted itself.
        if count.load(ordering: .relaxed) == 0 { return nil }
        let thread = CurrentThread.id
        return hooks.withLock { $0[thread]?.last }
    }

    /// The number of hooks that run inside one another on this thread.
    var depth: Int {
        if count.load(ordering: .relaxed) == 0 { return 0 }
        let thread = CurrentThread.id
        return hooks.withLock { $0[thread]?.count ?? 0 }
    }

    /// Throws if a hook is running on this thread.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` inside a hook.
    func refuse(_ call: String) throws {
        guard let current else { return }
        throw RecordStackError(
            .misuse,
            "\(call) was called inside \(current), which is called in the middle of an operation. "
                + "What the hook changes is saved with the rest, or stays a change: save when the "
                + "operation has returned.")
    }
}
