import RecordStackModel

/// A range of the members of an ordered relationship, as they were when the slice was created.
///
/// ```swift
/// for chapter in book.chapters.suffix(3) { try chapter.delete() }
/// ```
///
/// A slice keeps the members' keys, so edits of the relationship do not change it. When you first
/// use a member that is not loaded, the slice loads it together with the members after it. If the
/// member's row is gone by then, the result is a placeholder object, whose
/// ``ManagedObject/objectState`` is ``ObjectState/detached``. Creating a slice loads only the keys.
public struct MemberSlice<Element: ManagedObject>: RandomAccessCollection {
    private let owner: ManagedObject
    private let relationship: Int
    private let keys: ContiguousArray<Int64>
    /// The index that the first member had in the relationship.
    public let startIndex: Int
    /// One more than the index that the last member had in the relationship.
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
    ///
    /// - Precondition: The index is one of the slice's ``indices``.
    public subscript(index: Int) -> Element {
        precondition(indices.contains(index), "The slice has no index \(index).")
        return owner.member(at: index, among: keys, until: endIndex, relationship, Element.self)
    }

    /// The members at a smaller range of indexes.
    ///
    /// - Precondition: The range lies within the slice's ``indices``.
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
