/// The number of objects that a save wrote.
public struct SaveSummary: Sendable, Hashable {
    /// The objects that are new in the store.
    public var inserted = 0
    /// The objects whose rows were changed.
    public var updated = 0
    /// The objects whose rows were deleted.
    public var deleted = 0

    /// The rows added to join tables.
    ///
    /// Join tables keep the relationships that are to-many on both sides, and to-many relationships
    /// without an inverse. A relationship that is a key in an object's row counts as an update.
    public var related = 0
    /// The rows removed from join tables.
    public var unrelated = 0

    /// Creates a summary of a save that wrote no object.
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

/// The outcome of a save that did not throw.
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
