/// An event in a stack's store, which helps you find slow or wrong SQL.
///
/// ```swift
/// let options = StoreOptions(sqlDebugLevel: .values) { event in
///     if let duration = event.duration, duration > .milliseconds(50) { print(event) }
/// }
/// ```
public struct SQLDebugEvent: Sendable, Hashable {
    /// The kind of an event.
    ///
    /// Later versions may add kinds, so add a default case when you switch over the kind.
    public enum Kind: Sendable, Hashable {
        /// A statement has run or, at the level ``SQLDebugLevel/statements``, is about to run.
        case statement
        /// A checkpoint begins to copy the WAL into the file.
        case checkpoint
        /// A checkpoint could not copy the WAL into the file, so the WAL keeps its size or grows.
        ///
        /// The event's text gives the reason. Usually, another connection prevents the checkpoint.
        case logGrowth
    }

    /// The kind of the event.
    public let kind: Kind
    /// The path of the store's file, or nil for a store in memory.
    public let path: String?
    /// The number of the connection in its stack.
    ///
    /// Connection 1 writes. Connection 0 inspects a file before the stack uses it, or copies the
    /// file.
    public let connection: Int
    /// The statement's SQL, or a sentence about an event that is not a statement.
    public let text: String
    /// The bound values in SQL syntax, with long values shortened.
    ///
    /// Below the level ``SQLDebugLevel/values``, the array is empty.
    public let values: [String]
    /// The duration of the statement, including the time in which its rows were processed.
    ///
    /// It is nil below the level ``SQLDebugLevel/values``.
    public let duration: Duration?
    /// The number of rows that the statement has returned.
    ///
    /// It is nil for a statement that never returns rows, and below the level
    /// ``SQLDebugLevel/values``.
    public let rowCount: Int?
    /// SQLite's query plan, with one line for each step, indented by depth.
    ///
    /// Below the level ``SQLDebugLevel/plans``, the array is empty.
    public let plan: [String]
    /// SQLite's error message, or nil if the statement succeeded.
    public let failure: String?

    package init(
        _ kind: Kind, path: String?, connection: Int, text: String, values: [String] = [],
        duration: Duration? = nil, rowCount: Int? = nil, plan: [String] = [],
        failure: String? = nil
    ) {
        self.kind = kind
        self.path = path
        self.connection = connection
        self.text = text
        self.values = values
        self.duration = duration
        self.rowCount = rowCount
        self.plan = plan
        self.failure = failure
    }
}

extension SQLDebugEvent: CustomStringConvertible {
    /// The event on one line, with a further line for each step of the plan.
    public var description: String { text(isColored: false) }

    /// Returns the event as text, with colors for a terminal if `isColored` is true.
    package func text(isColored: Bool) -> String {
        func paint(_ text: String, _ color: Color) -> String {
            isColored ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
        }
        var line = paint(connection == 1 ? "SQL 1 (writer)" : "SQL \(connection)", .label)
        if let measured { line += " " + paint(measured, .label) }
        line += " " + (kind == .statement ? text : paint(text, .warning))
        if !values.isEmpty {
            line += " " + paint("← " + values.joined(separator: ", "), .value)
        }
        if let failure { line += " " + paint("✗ " + failure, .failure) }
        let lines = plan.map { paint("    " + $0, $0.contains("SCAN") ? .warning : .label) }
        return ([line] + lines).joined(separator: "\n")
    }

    private enum Color: Int {
        case label = 2, failure = 31, warning = 33, value = 36
    }

    private var measured: String? {
        guard let duration else { return nil }
        let parts = duration.components
        let microseconds = parts.seconds * 1_000_000 + parts.attoseconds / 1_000_000_000_000
        let fraction = String(microseconds % 1_000 + 1_000).dropFirst()
        let rows = rowCount.map { ", \($0) \($0 == 1 ? "row" : "rows")" } ?? ""
        return "\(microseconds / 1_000).\(fraction) ms\(rows)"
    }
}
