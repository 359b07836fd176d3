/// The summary of an upsert.
///
/// ```swift
/// let summary = try Person.upsert(rows, by: \.email, key: { $0.mail }, in: context) {
///     person, row, _ in
///     person.name = row.name
/// }
/// print("\(summary.inserted) new, \(summary.matched) known")
/// ```
public struct UpsertSummary: Sendable, Hashable {
    /// The rows that became new objects.
    public package(set) var inserted = 0
    /// The rows that matched an existing object, whether or not they changed the object.
    ///
    /// The object may be stored, pending, or created from an earlier row.
    public package(set) var matched = 0

    package init() {}
}
