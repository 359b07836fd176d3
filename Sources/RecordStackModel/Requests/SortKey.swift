/// An attribute to sort by, and the direction.
///
/// ```swift
/// let people = try Person.find(sortedBy: .ascending(\.name), .descending(\.age), in: context)
/// ```
///
/// Text sorts by its UTF-8 bytes, which is the order of the Unicode scalars. Nil sorts before
/// every value, and after all of them when descending. Objects that are alike in all keys follow
/// in the order of their IDs.
public struct SortKey<Entity: ManagedEntity>: Sendable, Hashable {
    package let term: SortTerm

    /// Smallest first.
    public static func ascending<Value: AttributeValue>(_ keyPath: KeyPath<Entity, Value>) -> Self {
        SortKey(keyPath, isAscending: true)
    }

    /// Largest first.
    public static func descending<Value: AttributeValue>(
        _ keyPath: KeyPath<Entity, Value>
    ) -> Self {
        SortKey(keyPath, isAscending: false)
    }

    private init(_ keyPath: AnyKeyPath, isAscending: Bool) {
        if case .attribute(let attribute)? = Entity.entityDescription.property(at: keyPath) {
            let path = FilterPath(slot: attribute.slot, collation: attribute.type.collation)
            term = SortTerm(path: path, isAscending: isAscending)
        } else {
            term = SortTerm(path: nil, isAscending: isAscending)
        }
    }
}

/// A sort key without its entity. Without a path it names a property that does not exist.
package struct SortTerm: Sendable, Hashable {
    package let path: FilterPath?
    package let isAscending: Bool

    package init(path: FilterPath?, isAscending: Bool) {
        self.path = path
        self.isAscending = isAscending
    }
}
