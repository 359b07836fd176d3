/// What came of an upsert.
///
/// ```swift
/// let summary = try Person.upsert(rows, by: \.email, key: { $0.mail }, in: context) { person, row, _ in
///     person.name = row.name
/// }
/// print("\(summary.inserted) new, \(summary.matched) known")
/// ```
public struct UpsertSummary: Sendable, Hashable {
    /// Rows that became new objects.
    public package(set) var inserted = 0
    /// Rows whose object was there already, whether or not they changed it: stored, pending, or made of an
    /// earlier row.
    public package(set) var matched = 0

    package init() {}
}
