import CSQLite
import RecordStackModel
import RecordStackPlatform

/// Reports the statements that a connection runs.
final class SQLDebugger {
    let level: SQLDebugLevel
    private let path: String?
    private let connection: Int
    private let sink: @Sendable (SQLDebugEvent) -> Void
    private var plans: [String: [String]] = [:]

    /// Creates a debugger; nil if the level is off.
    init?(path: String, connection: Int, options: StoreOptions) {
        let level =
            options.sqlDebugLevel ?? SQLDebugLevel(environment: Environment[SQLDebugLevel.variable])
        guard level > .off else { return nil }
        self.level = level
        self.path = path == SQLiteLocation.memoryPath ? nil : path
        self.connection = connection
        sink = options.sqlDebugSink ?? StandardErrorSink().callAsFunction
    }

    func tell(
        _ kind: SQLDebugEvent.Kind, _ text: String, values: [String] = [],
        duration: Duration? = nil, rowCount: Int? = nil, plan: [String] = [],
        failure: String? = nil
    ) {
        sink(
            SQLDebugEvent(
                kind, path: path, connection: connection, text: text, values: values,
                duration: duration, rowCount: rowCount, plan: plan, failure: failure))
    }

    /// Returns SQLite's plan for a statement.
    ///
    /// The plan is queried once for each text, by a separate statement, before the statement
    /// itself begins.
    func plan(of sql: String, on handle: OpaquePointer) -> [String] {
        if let known = plans[sql] { return known }
        let plan = Self.hasPlan(sql) ? Self.ask("EXPLAIN QUERY PLAN " + sql, on: handle) : []
        if plans.count >= Self.planLimit { plans.removeAll() }
        plans[sql] = plan
        return plan
    }

    private static var planLimit: Int { 512 }

    private static func hasPlan(_ sql: String) -> Bool {
        ["SELECT", "WITH", "INSERT", "UPDATE", "DELETE"].contains { sql.hasPrefix($0) }
    }

    private static func ask(_ sql: String, on handle: OpaquePointer) -> [String] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { return [] }
        defer { sqlite3_finalize(statement) }
        var depths: [Int64: Int] = [:]
        var lines: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            let depth = depths[sqlite3_column_int64(statement, 1)].map { $0 + 1 } ?? 0
            depths[sqlite3_column_int64(statement, 0)] = depth
            guard let text = sqlite3_column_text(statement, 3) else { continue }
            lines.append(String(repeating: "  ", count: depth) + String(cString: text))
        }
        return lines
    }
}
