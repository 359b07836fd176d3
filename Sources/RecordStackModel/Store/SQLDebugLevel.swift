/// The level of detail in which a stack reports the SQL that it runs.
public enum SQLDebugLevel: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Reports nothing, at no cost.
    case off
    /// Reports each statement before it runs.
    case statements
    /// Reports each statement after it has run, with its bound values, row count and duration.
    ///
    /// The bound values are your users' data, so restrict access to the reports.
    case values
    /// Reports the same as ``values``, and also SQLite's query plan.
    case plans

    /// Returns true if the left level reports less than the right level.
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

    /// The environment variable that sets the level if the options do not.
    package static let variable = "RECORDSTACK_SQL_DEBUG"

    /// Creates the level for the number in the environment variable.
    ///
    /// A number beyond the last level means the last level.
    package init(environment value: String?) {
        let number = value.flatMap { Int($0) } ?? 0
        self = Self(rawValue: min(max(number, 0), Self.plans.rawValue)) ?? .off
    }
}
