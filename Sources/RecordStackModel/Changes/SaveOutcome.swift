/// The numbers of objects and join rows that a save wrote.
public struct SaveSummary: Sendable, Hashable {
    /// The number of objects that the save inserted.
    public var inserted = 0
    /// The number of objects whose rows the save changed.
    public var updated = 0
    /// The number of objects whose rows the save deleted.
    public var deleted = 0

    /// The number of rows that the save added to join tables.
    ///
    /// Join tables store many-to-many relationships, and to-many relationships without an inverse.
    /// Any other relationship is stored as a key in an object's row. A change of that key is
    /// counted as an update of the object.
    public var related = 0
    /// The number of rows that the save removed from join tables.
    public var unrelated = 0

    /// Creates a summary with all counts at 0.
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
    /// The context had nothing to save, which is not an error.
    case noChanges
    /// The save wrote the changes to the store.
    case saved(SaveSummary)
}
