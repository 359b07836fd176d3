package import RecordStackGraph
package import RecordStackModel
import Synchronization

/// Records the SQL of every statement that a stack runs.
///
/// ```swift
/// let test = try TestStack(for: Person.self)
/// let context = test.stack.newContext()
/// let statements = try test.recorder.statements { _ = try Person.count(in: context) }
/// #expect(statements.count == 1)
/// ```
///
/// The SQL never contains values, because values are bound. The recorder leaves out the statements
/// that set up a new connection, because the stack can open a connection at any time.
public final class StatementRecorder: Sendable {
    private let recorded = Mutex(Recorded())
    private let source = Mutex(Source())

    private struct Recorded {
        var events: [StoreEvent] = []
        var statements: [String] = []
        /// The connections whose setup is complete.
        var connections: Set<Int> = []
    }

    private struct Source {
        weak var coordinator: PersistentStoreCoordinator?
    }

    /// Creates an empty recorder.
    package init() {}

    /// The SQL of the statements, in the order in which they began to run.
    public var statements: [String] { recorded.withLock { $0.statements } }

    /// Removes all recorded statements.
    public func reset() {
        recorded.withLock {
            $0.events = []
            $0.statements = []
        }
    }

    /// Returns the statements that run during a closure.
    ///
    /// The result includes statements that other code runs on the stack at the same time.
    ///
    /// After a save returns, the stack can have work left to do, such as reserving more keys.
    /// Before it runs the closure, the call waits until earlier saves have finished this work, and
    /// does not record their statements. Afterwards it waits until the closure's own saves have
    /// finished this work, and records their statements. For this reason, do not use the call in a
    /// merge policy or a validation. It would wait for the save that is running it, and never
    /// return.
    public func statements(during body: () throws -> Void) rethrows -> [String] {
        let before = waitForStore()
        try body()
        return statements(since: before)
    }

    /// Returns the statements that run during an asynchronous closure.
    ///
    /// Works like the synchronous form.
    public func statements(during body: () async throws -> Void) async rethrows -> [String] {
        let before = await waitForStore()
        try await body()
        return await statements(since: before)
    }

    /// Sets the coordinator whose statements are recorded.
    package func follow(_ coordinator: PersistentStoreCoordinator) {
        source.withLock { $0.coordinator = coordinator }
    }

    /// Waits for the work that a save leaves after it returns.
    ///
    /// Otherwise the recorder would sometimes count the statements of that work with later
    /// statements.
    ///
    /// - Returns: The number of statements that have run.
    @discardableResult
    func waitForStore() -> Int {
        source.withLock { $0.coordinator }?.waitForCheckpoint()
        return recorded.withLock { $0.statements.count }
    }

    @discardableResult
    func waitForStore() async -> Int {
        await source.withLock { $0.coordinator }?.passCheckpoint()
        return recorded.withLock { $0.statements.count }
    }

    func statements(since count: Int) -> [String] {
        waitForStore()
        return recorded.withLock { Array($0.statements.dropFirst(count)) }
    }

    func statements(since count: Int) async -> [String] {
        await waitForStore()
        return recorded.withLock { Array($0.statements.dropFirst(count)) }
    }

    package var events: [StoreEvent] { recorded.withLock { $0.events } }

    package func record(_ event: StoreEvent) {
        recorded.withLock {
            $0.events.append(event)
            switch event {
            case .opened(let connection): $0.connections.insert(connection)
            case .statement(let connection, let sql) where $0.connections.contains(connection):
                $0.statements.append(sql)
            default: break
            }
        }
    }
}
