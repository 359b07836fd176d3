import RecordStackModel

/// Some of the members of an ordered relationship, as they were when the slice was made.
///
/// ```swift
/// for chapter in book.chapters.suffix(3) { try chapter.delete() }
/// ```
///
/// A slice keeps the members' keys, so that editing the relationship changes nothing of it. Objects that are not loaded
/// are loaded when they are touched, with those behind them. One whose row is gone by then is a placeholder, whose
/// ``ManagedObject/objectState`` is ``ObjectState/detached``. Making a slice costs nothing but the loading of the keys.
public struct MemberSlice<Element: ManagedObject>: RandomAccessCollection {
    private let owner: ManagedObject
    private let relationship: Int
    private let keys: ContiguousArray<Int64>
    /// The index of the first member, as in the relationship.
    public let startIndex: Int
    /// The index behind the last member, as in the relationship.
    public let endIndex: Int

    init(
        _ owner: ManagedObject, _ relationship: Int, keys: ContiguousArray<Int64>,
        _ bounds: Range<Int>
    ) {
        precondition(
            bounds.lowerBound >= 0 && bounds.upperBound <= keys.count,
            "The relationship has \(keys.count) members, and no indexes \(bounds).")
        self.owner = owner
        self.relationship = relationship
        self.keys = keys
        (startIndex, endIndex) = (bounds.lowerBound, bounds.upperBound)
    }

    /// The member at an index.
    /// - Precondition: the index is one of the slice's ``indices``.
    public subscript(index: Int) -> Element {
        precondition(indices.contains(index), "The slice has no index \(index).")
        return owner.member(at: index, among: keys, until: endIndex, relationship, Element.self)
    }

    /// A smaller slice.
    /// - Precondition: the range lies within the slice's ``indices``.
    public subscript(bounds: Range<Int>) -> MemberSlice {
        precondition(
            bounds.lowerBound >= startIndex && bounds.upperBound <= endIndex,
            "The slice has no indexes \(bounds).")
        return MemberSlice(owner, relationship, keys: keys, bounds)
    }
}

@available(
    *, unavailable,
    message: "An object stays in its context's isolation. Pass its objectID or snapshot."
)
extension MemberSlice: Sendable {}
