package import RecordStackModel
import Synchronization

/// Keeps the SQL of every statement that a stack runs.
///
/// ```swift
/// let test = try TestStack(for: Person.self)
/// let before = test.recorder.statements.count
/// _ = try Person.count(in: test.stack.newContext())
/// #expect(test.recorder.statements.count == before + 1)
/// ```
///
/// Values never stand in the SQL: they are bound.
public final class StatementRecorder: Sendable {
    private let recorded = Mutex<[StoreEvent]>([])

    /// A recorder that has heard nothing yet.
    package init() {}

    /// The SQL of the statements, in the order in which they began to run.
    public var statements: [String] {
        events.compactMap { if case .statement(_, let sql) = $0 { sql } else { nil } }
    }

    /// Forgets what was recorded.
    public func reset() {
        recorded.withLock { $0 = [] }
    }

    /// The statements that run while a body does.
    public func statements(during body: () throws -> Void) rethrows -> [String] {
        let before = statements.count
        try body()
        return Array(statements.dropFirst(before))
    }

    /// The statements that run while a body does.
    public func statements(during body: () async throws -> Void) async rethrows -> [String] {
        let before = statements.count
        try await body()
        return Array(statements.dropFirst(before))
    }

    package var events: [StoreEvent] { recorded.withLock { $0 } }

    package func record(_ event: StoreEvent) {
        recorded.withLock { $0.append(event) }
    }
}
