public import RecordStackModel

/// The objects at the other end of a to-many relationship, in an order that the program gives them.
///
/// ```swift
/// book.chapters.append(epilogue)
/// book.chapters.insert(prologue, at: 0)
/// book.chapters.move(from: 3, to: 1)
/// print(book.chapters[0].title)
/// ```
///
/// All that is said of ``ToMany`` holds here, too. A member that is made one at the other side comes
/// behind the others. Each member has a number that says where it stands, with room between it and the
/// next: to append, to insert and to move write that of one member, now and then those of a few beside
/// it. To append loads the members' keys once.
///
/// Between two operations of the context, the indexes stay as they are, whatever other contexts save.
/// An operation may find that members are gone. An index that ``count`` has covered before is safe even
/// then: reading it returns a placeholder object whose ``ManagedObject/objectState`` is
/// ``ObjectState/detached``, and the context's fault handler and its next throwing operation get the error.
///
/// Where two contexts change the order at the same time, the last one to save says where the members
/// stand that it has moved.
public struct OrderedToMany<Element: ManagedObject>: ToManyRelationship {
    let owner: ManagedObject
    let relationship: Int

    /// The members have an order of their own.
    public static var isOrdered: Bool { true }

    /// The key path of ``count``, by which programs sort.
    public static var countKeyPath: AnyKeyPath { \Self.count }

    /// The relationship of an object, by its index. Generated code.
    public init(of owner: ManagedObject, at relationship: Int) {
        self.owner = owner
        self.relationship = relationship
    }

    /// The number of members, which is the number of valid indexes. Loads the members' keys if they are not
    /// loaded yet, with one statement; 0 where they cannot be loaded.
    public var count: Int { owner.indexedKeys(relationship).count }

    /// The number of members, without loading their keys: if these are not loaded, the store counts them, with
    /// one statement. A save of another context can make ``count`` another number a moment later.
    public var countWithoutLoading: Int { owner.memberCount(relationship) }

    /// The members' IDs in their order, without making objects.
    public var objectIDs: [ManagedObjectID] { owner.memberIDs(relationship) }

    /// Whether an object is one of them. Where keys are not loaded, it costs a look-up at most.
    public func contains(_ object: Element) -> Bool { owner.hasMember(object, relationship) }

    /// The index of an object; nil if it is not a member.
    public func firstIndex(of object: Element) -> Int? {
        contains(object) ? owner.memberKeys(relationship).index(of: object.keyValue) : nil
    }

    /// Makes an object the last member. Where it can have one owner only, it leaves the one that it
    /// had; one that is a member already goes behind the others.
    /// - Precondition: both are of the same context.
    public func append(_ object: Element) {
        if owner.insertMember(object, relationship) || !contains(object) { return }
        owner.moveMember(object, to: count - 1, relationship)
    }

    /// Makes objects members, behind the others.
    /// - Precondition: all are of the same context.
    public func append(contentsOf objects: some Sequence<Element>) {
        for object in Array(objects) { append(object) }
    }

    /// Inserts an object at an index. Moves it there if it is a member already.
    /// - Parameter index: from 0 to ``count``; a number beyond is the nearer of the two.
    /// - Precondition: both are of the same context.
    public func insert(_ object: Element, at index: Int) {
        let isNew = owner.insertMember(object, relationship)
        guard isNew || contains(object) else { return }
        let last = owner.memberKeys(relationship).keys.count - 1
        owner.moveMember(object, to: Swift.min(Swift.max(index, 0), last), relationship)
    }

    /// Moves a member to another index.
    /// - Parameters:
    ///   - source: the member's index.
    ///   - destination: the index that it has afterwards.
    /// - Precondition: both are at least 0 and less than ``count``, or were so before another context's save removed
    ///   members. In that case, nothing moves.
    public func move(from source: Int, to destination: Int) {
        guard owner.isIndex(source, relationship), owner.isIndex(destination, relationship) else {
            return
        }
        owner.moveMember(self[source], to: destination, relationship)
    }

    /// Makes an object a member no longer. One that is none stays as it is.
    /// - Returns: whether it was one.
    @discardableResult
    public func remove(_ object: Element) -> Bool { owner.removeMember(object, relationship) }

    /// Removes the member at an index.
    /// - Precondition: the index is at least 0 and less than ``count``, or was so before another context's save removed
    ///   members. In that case, no member is removed, and the result is a placeholder.
    @discardableResult
    public func remove(at index: Int) -> Element {
        let object = self[index]
        remove(object)
        return object
    }

    /// Leaves no member. The objects stay.
    public func removeAll() {
        for member in Array(self) { remove(member) }
    }

    /// Makes these, and no others, the members, in this order. An object that comes twice stands where
    /// it comes first.
    /// - Precondition: all are of the same context.
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

    /// Puts the members into the order of a comparison. Those that stand right are not touched.
    public func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
        replaceAll(with: try sorted(by: areInIncreasingOrder))
    }

    /// The members as a request, to be filtered, sorted, counted and paged; without a sort key, its
    /// objects come by ID.
    ///
    /// Where each member knows its owner, it asks for whoever is a member when it is run; else for
    /// those that are members now.
    public var request: FetchRequest<Element> { owner.memberRequest(relationship) }
}

extension OrderedToMany: RandomAccessCollection {
    /// 0.
    public var startIndex: Int { 0 }
    /// The number of members.
    public var endIndex: Int { count }

    /// The member at an index. Members that are not loaded are loaded with those behind it.
    ///
    /// A member whose row another context has deleted since the keys were loaded is a placeholder, whose
    /// ``ManagedObject/objectState`` is ``ObjectState/detached``.
    ///
    /// - Precondition: the index is at least 0 and less than ``count``, or was so before another context's save removed
    ///   members. In that case, the result is a placeholder.
    public subscript(position: Int) -> Element {
        guard owner.isIndex(position, relationship) else {
            return owner.lost(0, Element.self)
        }
        let keys = owner.plainMemberKeys(relationship)
        return owner.member(
            at: position, among: keys, until: keys.count, relationship, Element.self)
    }

    /// The members at a range of indexes, as they are now: editing the relationship changes nothing of the slice.
    /// - Precondition: the range lies within 0 to ``count``.
    public subscript(bounds: Range<Int>) -> MemberSlice<Element> {
        MemberSlice(owner, relationship, keys: owner.indexedKeys(relationship), bounds)
    }

    // Moving an index checks nothing: the members may become fewer in the middle of a loop that deletes.

    /// The index after another one.
    public func index(after index: Int) -> Int { index + 1 }
    /// The index before another one.
    public func index(before index: Int) -> Int { index - 1 }
    /// The index at a distance from another one.
    public func index(_ index: Int, offsetBy distance: Int) -> Int { index + distance }
    /// The distance from one index to another.
    public func distance(from start: Int, to end: Int) -> Int { end - start }

    /// What a transformation makes of each member. The members are those at the beginning, whatever it changes.
    public func map<Value, Failure: Error>(
        _ transform: (Element) throws(Failure) -> Value
    ) throws(Failure) -> [Value] {
        try Array(self).map(transform)
    }

    /// The members as they are now; editing while iterating changes nothing of the iteration.
    public func makeIterator() -> MemberIterator<Element> {
        MemberIterator(owner.members(relationship, as: Element.self))
    }
}
