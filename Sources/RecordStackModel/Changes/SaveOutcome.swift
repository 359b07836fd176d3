/// How many objects a save wrote.
public struct SaveSummary: Sendable, Hashable {
    /// Objects that are new in the store.
    public var inserted = 0
    /// Objects whose rows were changed.
    public var updated = 0
    /// Objects whose rows are gone.
    public var deleted = 0

    /// No object.
    public init() {}
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
