/// The counts of an upsert: new objects, and rows that matched an existing object.
///
/// ```swift
/// let summary = try Person.upsert(rows, by: \.email, key: { $0.mail }, in: context) {
///     person, row, _ in
///     person.name = row.name
/// }
/// print("\(summary.inserted) new, \(summary.matched) known")
/// ```
public struct UpsertSummary: Sendable, Hashable {
    /// The number of rows that became new objects.
    public package(set) var inserted = 0
    /// The number of rows that matched an existing object, whether or not they changed it.
    ///
    /// The object can be stored, pending, or created from an earlier row.
    public package(set) var matched = 0

    package init() {}
}
