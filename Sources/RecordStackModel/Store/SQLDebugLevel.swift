/// How much a stack tells of the SQL that it runs.
public enum SQLDebugLevel: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Nothing, at no cost.
    case off
    /// Each statement, when it begins.
    case statements
    /// Each statement when it has ended, with the values that it was given, its rows and its time.
    /// The values are the users' data: mind where they go.
    case values
    /// The same with SQLite's query plan.
    case plans

    /// Whether a level tells less than another one.
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

    /// The environment variable that sets the level where the options leave it open.
    package static let variable = "RECORDSTACK_SQL_DEBUG"

    /// What the environment variable says: a number; one past the last is the last.
    package init(environment value: String?) {
        let number = value.flatMap { Int($0) } ?? 0
        self = Self(rawValue: min(max(number, 0), Self.plans.rawValue)) ?? .off
    }
}
