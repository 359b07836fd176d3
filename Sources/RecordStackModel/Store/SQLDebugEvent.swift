/// Something that a stack's store has done, for whoever looks for what is slow or wrong.
///
/// ```swift
/// let options = StoreOptions(sqlDebugLevel: .values) { event in
///     if let duration = event.duration, duration > .milliseconds(50) { print(event) }
/// }
/// ```
public struct SQLDebugEvent: Sendable, Hashable {
    /// What happened. New kinds may come; switch over it with a default.
    public enum Kind: Sendable, Hashable {
        /// A statement ran, or begins to run at ``SQLDebugLevel/statements``.
        case statement
        /// The log is written back into the file.
        case checkpoint
        /// The log grows, because somebody else keeps it from being written back.
        case logGrowth
    }

    /// What happened.
    public let kind: Kind
    /// The path of the store's file; nil in memory.
    public let path: String?
    /// The number of the connection in its stack. 1 is the one that writes, 0 one that looks at a
    /// file before it is used, or makes a copy.
    public let connection: Int
    /// The statement's SQL, or a sentence about what is no statement.
    public let text: String
    /// The values that were bound, as SQL writes them; long ones are shortened. From
    /// ``SQLDebugLevel/values``.
    public let values: [String]
    /// How long the statement ran, with what was done with its rows. From
    /// ``SQLDebugLevel/values``.
    public let duration: Duration?
    /// How many rows the statement has returned; nil for one that returns none by its nature. From ``SQLDebugLevel/values``.
    public let rowCount: Int?
    /// SQLite's query plan, a line for each step, indented by depth. From
    /// ``SQLDebugLevel/plans``.
    public let plan: [String]
    /// What SQLite said where the statement failed.
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
    /// A line for the event, and one for each step of the plan.
    public var description: String { text(isColored: false) }

    /// The text, for a terminal that shows colours or for anything else.
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
