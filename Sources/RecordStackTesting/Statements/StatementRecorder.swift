package import RecordStackGraph
package import RecordStackModel
import Synchronization

/// Keeps the SQL of every statement that a stack runs.
///
/// ```swift
/// let test = try TestStack(for: Person.self)
/// let context = test.stack.newContext()
/// let statements = try test.recorder.statements { _ = try Person.count(in: context) }
/// #expect(statements.count == 1)
/// ```
///
/// Values never stand in the SQL: they are bound. What sets a new connection up is left out, because
/// it runs whenever a connection happens to be needed.
public final class StatementRecorder: Sendable {
    private let recorded = Mutex(Recorded())
    private let source = Mutex(Source())

    private struct Recorded {
        var events: [StoreEvent] = []
        var statements: [String] = []
        /// The connections that are set up.
        var connections: Set<Int> = []
    }

    private struct Source {
        weak var coordinator: PersistentStoreCoordinator?
    }

    /// A recorder that has heard nothing yet.
    package init() {}

    /// The SQL of the statements, in the order in which they began to run.
    public var statements: [String] { recorded.withLock { $0.statements } }

    /// Forgets what was recorded.
    public func reset() {
        recorded.withLock {
            $0.events = []
            $0.statements = []
        }
    }

    /// The statements that run while a body does, also those of others who use the stack meanwhile.
    ///
    /// A save may leave something to do when its caller goes on, such as leasing more keys. What saves before the body have
    /// left is done before it and not among them; what saves in the body leave is waited for, and among them. So the save
    /// itself, a merge policy or a validation, cannot ask: it would wait for itself.
    public func statements(during body: () throws -> Void) rethrows -> [String] {
        let before = waitForStore()
        try body()
        return statements(since: before)
    }

    /// The statements that run while a body does, as for one that does not wait.
    public func statements(during body: () async throws -> Void) async rethrows -> [String] {
        let before = await waitForStore()
        try await body()
        return await statements(since: before)
    }

    /// Whose statements these are.
    package func follow(_ coordinator: PersistentStoreCoordinator) {
        source.withLock { $0.coordinator = coordinator }
    }

    /// Waits for what a save does when its caller has gone on: by chance it would be counted with what comes next.
    /// - Returns: how many statements have run.
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
