import Dispatch
import RecordStack
import RecordStackModel
import RecordStackTesting
import Synchronization

/// Holds a store's statements up at a chosen one, so that a test can look at what happens meanwhile.
final class Gate: Sendable {
    private struct State {
        var pattern: String?
        var passes = 0
    }

    private let state = Mutex(State())
    private let arrived = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    /// The observer to give to a store.
    func observe(_ event: StoreEvent) {
        guard case .statement(_, let sql) = event else { return }
        let holds = state.withLock { state in
            guard let pattern = state.pattern, sql.hasPrefix(pattern) else { return false }
            if state.passes > 0 {
                state.passes -= 1
                return false
            }
            state.pattern = nil
            return true
        }
        guard holds else { return }
        arrived.signal()
        opened.wait()
    }

    /// The next statement that begins so waits until the gate is opened, or one of those after it.
    func close(at pattern: String, after passes: Int = 0) {
        state.withLock {
            $0.pattern = pattern
            $0.passes = passes
        }
    }

    /// Waits until a statement stands before the gate.
    func waitUntilHeld() async {
        await withCheckedContinuation { continuation in
            // A queue of its own: a blocked thread of the global one would be missed by tasks.
            DispatchQueue(label: "gate").async { [arrived] in
                arrived.wait()
                continuation.resume()
            }
        }
    }

    func open() { opened.signal() }

    /// Where nothing has come to the gate, nothing will: who waits for it goes on.
    func giveUp() {
        let isExpected = state.withLock { state in
            defer { state.pattern = nil }
            return state.pattern != nil
        }
        if isExpected { arrived.signal() }
    }

    /// Lets everything pass from now on, so that a test that failed does not hang.
    func openForGood() {
        state.withLock { $0.pattern = nil }
        opened.signal()
    }

    /// Store options whose observer is the gate.
    var options: StoreOptions {
        var options = StoreOptions()
        options.observer = { [self] in observe($0) }
        return options
    }
}

/// A stack in a file whose saves a test can hold up. What is held when the test ends goes on.
@MainActor
final class GatedStack {
    let gate = Gate()
    let stack: ContextStack
    private let test: TestStack

    init(
        _ entities: ManagedObject.Type..., architecture: StackArchitecture = .savingRoot
    ) throws {
        test = try TestStack(
            entities: entities, at: .temporaryFile, architecture: architecture,
            options: gate.options)
        stack = test.stack
    }

    deinit { gate.openForGood() }

    var context: ManagedObjectContext { stack.defaultContext }

    /// Runs a body while a save of the default context stands before a statement.
    @discardableResult
    func whileSaving(
        _ context: ManagedObjectContext? = nil, at statement: String = "COMMIT",
        _ body: () async throws -> Void
    ) async throws -> SaveOutcome {
        gate.close(at: statement)
        let context = context ?? stack.defaultContext
        let save = Task { try await context.save() }
        await gate.waitUntilHeld()
        try await body()
        gate.open()
        return try await save.value
    }
}
