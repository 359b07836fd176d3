public import RecordStackModel

/// The members of a to-many relationship, in an order that your program determines.
///
/// ```swift
/// book.chapters.append(epilogue)
/// book.chapters.insert(prologue, at: 0)
/// book.chapters.move(from: 3, to: 1)
/// print(book.chapters[0].title)
/// ```
///
/// The description of ``ToMany`` applies here, too. If you add a member by setting the inverse
/// relationship, the member comes last. The store keeps each member's position as a number, with a
/// gap before the next one. Appending, inserting or moving a member therefore writes one position,
/// and occasionally those of a few neighbors. The first append loads the members' keys.
///
/// Saves of other contexts change the indexes only when this context merges the saves, for example
/// at the beginning of an operation. A merge can remove members that other contexts have deleted or
/// removed. Reading an index that was valid before the merge is safe, even if the index has no
/// member now. The result is then a placeholder object, whose ``ManagedObject/objectState`` is
/// ``ObjectState/detached``. The context's fault handler gets the error, and the context's next
/// throwing operation throws it.
///
/// If two contexts change the order at the same time, the later save determines the positions of
/// the members that its context has moved.
public struct OrderedToMany<Element: ManagedObject>: ToManyRelationship {
    let owner: ManagedObject
    let relationship: Int

    /// Always true, because the members are ordered.
    public static var isOrdered: Bool { true }

    /// The key path of ``count``, by which a request can sort.
    public static var countKeyPath: AnyKeyPath { \Self.count }

    /// Creates the value of one of the owner's relationships.
    ///
    /// Generated getters call this initializer with the relationship's index.
    public init(of owner: ManagedObject, at relationship: Int) {
        self.owner = owner
        self.relationship = relationship
    }

    /// The number of members, which is the number of valid indexes.
    ///
    /// Reading it loads the members' keys with one statement if they are not loaded. If they cannot
    /// be loaded, the count is 0.
    public var count: Int { owner.indexedKeys(relationship).count }

    /// The number of members, counted without loading their keys.
    ///
    /// If the keys are not loaded, the store counts the members with one statement. If another
    /// context saves later, ``count`` may return a different number.
    public var countWithoutLoading: Int { owner.memberCount(relationship) }

    /// The members' IDs in order. Reading them creates no objects.
    public var objectIDs: [ManagedObjectID] { owner.memberIDs(relationship) }

    /// Whether an object is a member.
    ///
    /// If the keys are not loaded, the check runs at most one query.
    public func contains(_ object: Element) -> Bool { owner.hasMember(object, relationship) }

    /// Returns the index of an object, or nil if it is not a member.
    public func firstIndex(of object: Element) -> Int? {
        contains(object) ? owner.memberKeys(relationship).index(of: object.keyValue) : nil
    }

    /// Appends an object, or moves it to the end if it is already a member.
    ///
    /// If a member can have only one owner, the call removes the object from its former owner.
    ///
    /// - Precondition: The object and the relationship's owner belong to the same context.
    public func append(_ object: Element) {
        if owner.insertMember(object, relationship) || !contains(object) { return }
        owner.moveMember(object, to: count - 1, relationship)
    }

    /// Appends objects in order, and moves those that are already members to the end.
    ///
    /// - Precondition: The objects and the relationship's owner belong to the same context.
    public func append(contentsOf objects: some Sequence<Element>) {
        for object in Array(objects) { append(object) }
    }

    /// Inserts an object at an index, or moves it there if it is already a member.
    ///
    /// - Parameters:
    ///   - object: The object to insert or move.
    ///   - index: An index from 0 to ``count``. Other numbers are clamped to this range.
    /// - Precondition: The object and the relationship's owner belong to the same context.
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
    /// - Precondition: Both indexes are at least 0 and less than ``count``. An index that was valid
    ///   until another context's save removed members is also allowed; nothing moves then.
    public func move(from source: Int, to destination: Int) {
        guard owner.isIndex(source, relationship), owner.isIndex(destination, relationship) else {
            return
        }
        owner.moveMember(self[source], to: destination, relationship)
    }

    /// Removes an object from the relationship. Does nothing if it is not a member.
    ///
    /// - Returns: True if the object was a member.
    @discardableResult
    public func remove(_ object: Element) -> Bool { owner.removeMember(object, relationship) }

    /// Removes the member at an index.
    ///
    /// - Precondition: The index is at least 0 and less than ``count``. An index that was valid
    ///   until another context's save removed members is also allowed. The call then removes no
    ///   member and returns a placeholder object.
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

    /// Replaces the members with the given objects, in the given order.
    ///
    /// If an object occurs more than once, its first occurrence determines its index.
    ///
    /// - Precondition: The objects and the relationship's owner belong to the same context.
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
    /// The call does not move members that are already at the right index.
    public func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
        replaceAll(with: try sorted(by: areInIncreasingOrder))
    }

    /// A request for the members, which you can filter, sort, count and page.
    ///
    /// Without a sort key, the request sorts the objects by ID. If the members' own rows store the
    /// relationship, the request returns the objects that are members when it runs. If a join table
    /// stores the relationship, the request returns the objects that are members when you read this
    /// property.
    public var request: FetchRequest<Element> { owner.memberRequest(relationship) }
}

extension OrderedToMany: RandomAccessCollection {
    /// The first index, which is 0.
    public var startIndex: Int { 0 }
    /// The index after the last member, which is ``count``.
    public var endIndex: Int { count }

    /// The member at an index.
    ///
    /// If the member is not loaded, the call loads it together with the members after it. If
    /// another context has deleted the member's row since the keys were loaded, the result is a
    /// placeholder object, whose ``ManagedObject/objectState`` is ``ObjectState/detached``.
    ///
    /// - Precondition: The index is at least 0 and less than ``count``. An index that was valid
    ///   until another context's save removed members is also allowed. The result is then a
    ///   placeholder object.
    public subscript(position: Int) -> Element {
        guard owner.isIndex(position, relationship) else {
            return owner.lost(0, Element.self)
        }
        let keys = owner.plainMemberKeys(relationship)
        return owner.member(
            at: position, among: keys, until: keys.count, relationship, Element.self)
    }

    /// The current members at a range of indexes, as a slice that later edits do not change.
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
    /// Returns the index at a given distance from an index.
    public func index(_ index: Int, offsetBy distance: Int) -> Int { index + distance }
    /// Returns the distance from one index to another.
    public func distance(from start: Int, to end: Int) -> Int { end - start }

    /// Returns the results of calling a closure with each member.
    ///
    /// The closure gets the members that the relationship has at the start of the call, even if the
    /// closure edits the relationship.
    public func map<Value, Failure: Error>(
        _ transform: (Element) throws(Failure) -> Value
    ) throws(Failure) -> [Value] {
        try Array(self).map(transform)
    }

    /// Returns an iterator over the current members. Later edits do not change the iteration.
    public func makeIterator() -> MemberIterator<Element> {
        MemberIterator(owner.members(relationship, as: Element.self))
    }
}
