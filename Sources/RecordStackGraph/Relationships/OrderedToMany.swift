public import RecordStackModel

/// The members of a to-many relationship, in an order that the program determines.
///
/// ```swift
/// book.chapters.append(epilogue)
/// book.chapters.insert(prologue, at: 0)
/// book.chapters.move(from: 3, to: 1)
/// print(book.chapters[0].title)
/// ```
///
/// The description of ``ToMany`` applies here, too. A member that is added from the other side
/// comes last. Each member's position is stored as a number, with a gap before the next one.
/// Appending, inserting and moving write the position of one member, and occasionally those of a
/// few neighbors. Appending loads the members' keys once.
///
/// Between two operations of the context, the indexes stay the same, whatever other contexts save.
/// After an operation, members may be gone. An index that ``count`` has covered before is safe even
/// then: reading it returns a placeholder object, whose ``ManagedObject/objectState`` is
/// ``ObjectState/detached``. The context's fault handler and its next throwing operation get the
/// error.
///
/// If two contexts change the order at the same time, the last save determines the positions of the
/// members that it has moved.
public struct OrderedToMany<Element: ManagedObject>: ToManyRelationship {
    let owner: ManagedObject
    let relationship: Int

    /// Whether the members are ordered: true.
    public static var isOrdered: Bool { true }

    /// The key path of ``count``, for sorting by it.
    public static var countKeyPath: AnyKeyPath { \Self.count }

    /// Creates the relationship of an object by its index. Generated code.
    public init(of owner: ManagedObject, at relationship: Int) {
        self.owner = owner
        self.relationship = relationship
    }

    /// The number of members, which is the number of valid indexes.
    ///
    /// Loads the members' keys with one statement if they are not loaded. Returns 0 if they cannot
    /// be loaded.
    public var count: Int { owner.indexedKeys(relationship).count }

    /// The number of members, without loading their keys.
    ///
    /// If the keys are not loaded, the store counts the members with one statement. After a save of
    /// another context, ``count`` may return another number a moment later.
    public var countWithoutLoading: Int { owner.memberCount(relationship) }

    /// The members' IDs in order, without creating objects.
    public var objectIDs: [ManagedObjectID] { owner.memberIDs(relationship) }

    /// Whether an object is a member.
    ///
    /// If the keys are not loaded, the check costs one lookup at most.
    public func contains(_ object: Element) -> Bool { owner.hasMember(object, relationship) }

    /// Returns the index of an object, or nil if it is not a member.
    public func firstIndex(of object: Element) -> Int? {
        contains(object) ? owner.memberKeys(relationship).index(of: object.keyValue) : nil
    }

    /// Appends an object, or moves it to the end if it is a member.
    ///
    /// If the object can have only one owner, it leaves its former owner.
    ///
    /// - Precondition: Both objects belong to the same context.
    public func append(_ object: Element) {
        if owner.insertMember(object, relationship) || !contains(object) { return }
        owner.moveMember(object, to: count - 1, relationship)
    }

    /// Appends objects, and moves those that are members to the end.
    ///
    /// - Precondition: All objects belong to the same context.
    public func append(contentsOf objects: some Sequence<Element>) {
        for object in Array(objects) { append(object) }
    }

    /// Inserts an object at an index, or moves it there if it is a member.
    ///
    /// - Parameter index: An index from 0 to ``count``. Other numbers are clamped to this range.
    /// - Precondition: Both objects belong to the same context.
    public func insert(_ object: Element, at index: Int) {
        let isNew = owner.insertMember(object, relationship)
        guard isNew || contains(object) else { return }
        let last = owner.memberKeys(relationship).keys.count - 1
        owner.moveMember(object, to: Swift.min(Swift.max(index, 0), last), relationship)
    }

    /// Moves a member to another index.
    ///
    /// - Parameters:
    ///   - source: The member's index.
    ///   - destination: The member's index after the move.
    /// - Precondition: Both indexes are at least 0 and less than ``count``, or were so before
    ///   another context's save removed members. In the latter case, nothing moves.
    public func move(from source: Int, to destination: Int) {
        guard owner.isIndex(source, relationship), owner.isIndex(destination, relationship) else {
            return
        }
        owner.moveMember(self[source], to: destination, relationship)
    }

    /// Removes an object from the relationship; does nothing if it is not a member.
    ///
    /// - Returns: True if the object was a member.
    @discardableResult
    public func remove(_ object: Element) -> Bool { owner.removeMember(object, relationship) }

    /// Removes the member at an index.
    ///
    /// - Precondition: The index is at least 0 and less than ``count``, or was so before another
    ///   context's save removed members. In the latter case, no member is removed, and the result
    ///   is a placeholder object.
    @discardableResult
    public func remove(at index: Int) -> Element {
        let object = self[index]
        remove(object)
        return object
    }

    /// Removes all members from the relationship, without deleting the objects.
    public func removeAll() {
        for member in Array(self) { remove(member) }
    }

    /// Replaces the members with some objects, in the given order.
    ///
    /// If an object occurs twice, its first occurrence determines its index.
    ///
    /// - Precondition: All objects belong to the same context.
    public func replaceAll(with objects: some Sequence<Element>) {
        var wanted: [Element] = []
        var identities: Set<ObjectIdentifier> = []
        for object in objects where identities.insert(ObjectIdentifier(object)).inserted {
            wanted.append(object)
        }
        for member in Array(self) where !identities.contains(ObjectIdentifier(member)) {
            remove(member)
        }
        for (index, object) in wanted.enumerated() where firstIndex(of: object) != index {
            insert(object, at: index)
        }
    }

    /// Sorts the members by a comparison.
    ///
    /// Members that are in place are not changed.
    public func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
        replaceAll(with: try sorted(by: areInIncreasingOrder))
    }

    /// A request for the members, which you can filter, sort, count and page.
    ///
    /// Without a sort key, the request returns the objects in the order of their IDs. If each
    /// member's row stores the owner's key, the request returns the members as of the moment when
    /// it runs. Otherwise it returns the members as of the moment when you read this property.
    public var request: FetchRequest<Element> { owner.memberRequest(relationship) }
}

extension OrderedToMany: RandomAccessCollection {
    /// The first index, which is 0.
    public var startIndex: Int { 0 }
    /// The index after the last member, which is ``count``.
    public var endIndex: Int { count }

    /// The member at an index.
    ///
    /// A member that is not loaded is loaded together with the members after it. If another context
    /// has deleted its row since the keys were loaded, the result is a placeholder object, whose
    /// ``ManagedObject/objectState`` is ``ObjectState/detached``.
    ///
    /// - Precondition: The index is at least 0 and less than ``count``, or was so before another
    ///   context's save removed members. In the latter case, the result is a placeholder object.
    public subscript(position: Int) -> Element {
        guard owner.isIndex(position, relationship) else {
            return owner.lost(0, Element.self)
        }
        let keys = owner.plainMemberKeys(relationship)
        return owner.member(
            at: position, among: keys, until: keys.count, relationship, Element.self)
    }

    /// The current members at a range of indexes; later edits do not change the slice.
    ///
    /// - Precondition: The range lies within 0 to ``count``.
    public subscript(bounds: Range<Int>) -> MemberSlice<Element> {
        MemberSlice(owner, relationship, keys: owner.indexedKeys(relationship), bounds)
    }

    // Moving an index checks nothing, because a loop may delete members.

    /// Returns the index after an index.
    public func index(after index: Int) -> Int { index + 1 }
    /// Returns the index before an index.
    public func index(before index: Int) -> Int { index - 1 }
    /// Returns the index at a distance from an index.
    public func index(_ index: Int, offsetBy distance: Int) -> Int { index + distance }
    /// Returns the distance from one index to another.
    public func distance(from start: Int, to end: Int) -> Int { end - start }

    /// Returns the results of a closure for the members.
    ///
    /// The closure gets the members as of the start of the call, even if it edits the relationship.
    public func map<Value, Failure: Error>(
        _ transform: (Element) throws(Failure) -> Value
    ) throws(Failure) -> [Value] {
        try Array(self).map(transform)
    }

    /// Returns an iterator over the current members; later edits do not change the iteration.
    public func makeIterator() -> MemberIterator<Element> {
        MemberIterator(owner.members(relationship, as: Element.self))
    }
}
