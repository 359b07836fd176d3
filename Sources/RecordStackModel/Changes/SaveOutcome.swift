/// How many objects a save wrote.
public struct SaveSummary: Sendable, Hashable {
    /// Objects that are new in the store.
    public var inserted = 0
    /// Objects whose rows were changed.
    public var updated = 0
    /// Objects whose rows are gone.
    public var deleted = 0

    /// Rows added to join tables, which keep the relationships with many objects on both sides and those without an
    /// inverse. A relationship that a key in an object's row keeps counts as an update.
    public var related = 0
    /// Rows removed from join tables.
    public var unrelated = 0

    /// No object.
    public init() {}

    func adding(_ links: [LinkChanges]) -> SaveSummary {
        var sum = self
        for changes in links {
            sum.related += changes.added.count
            sum.unrelated += changes.removed.count
        }
        return sum
    }
}

/// What came of a save that did not throw.
///
/// ```swift
/// switch try await context.save() {
/// case .noChanges: print("nothing to do")
/// case .saved(let summary): print("\(summary.inserted) new objects")
/// }
/// ```
public enum SaveOutcome: Sendable, Hashable {
    /// There was nothing to save, which is never a failure.
    case noChanges
    /// The changes are in the store.
    case saved(SaveSummary)
}
