/// An event in a stack's store, reported to help you find slow or wrong SQL.
///
/// ```swift
/// let options = StoreOptions(sqlDebugLevel: .values) { event in
///     if let duration = event.duration, duration > .milliseconds(50) { print(event) }
/// }
/// ```
public struct SQLDebugEvent: Sendable, Hashable {
    /// The kind of an event.
    ///
    /// New kinds may be added: switch over it with a default.
    public enum Kind: Sendable, Hashable {
        /// A statement has run or, at ``SQLDebugLevel/statements``, begins to run.
        case statement
        /// A checkpoint begins to copy the WAL into the file.
        case checkpoint
        /// The WAL stays or grows, because it could not be copied into the file.
        ///
        /// The event's text gives the reason. Usually another connection prevents the checkpoint.
        case logGrowth
    }

    /// The kind of the event.
    public let kind: Kind
    /// The path of the store's file; nil in memory.
    public let path: String?
    /// The number of the connection in its stack.
    ///
    /// Connection 1 is the one that writes. Connection 0 inspects a file before the file
    /// is used, or copies it.
    public let connection: Int
    /// The statement's SQL, or a sentence about an event that is not a statement.
    public let text: String
    /// The bound values in SQL syntax, with long values shortened.
    ///
    /// Available from ``SQLDebugLevel/values`` on.
    public let values: [String]
    /// The duration of the statement, including the work on its rows.
    ///
    /// Available from ``SQLDebugLevel/values`` on.
    public let duration: Duration?
    /// The number of rows that the statement has returned; nil if it never returns rows.
    ///
    /// Available from ``SQLDebugLevel/values`` on.
    public let rowCount: Int?
    /// SQLite's query plan, one line for each step, indented by depth.
    ///
    /// Available from ``SQLDebugLevel/plans`` on.
    public let plan: [String]
    /// SQLite's error message; nil if the statement succeeded.
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
    /// The event on one line, followed by one line for each step of the plan.
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
