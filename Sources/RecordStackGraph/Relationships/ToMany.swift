public import RecordStackModel

/// The members of a to-many relationship, in no particular order.
///
/// ```swift
/// team.members.insert(person)          // person.team is team now
/// for member in team.members { print(member.name) }
/// print(team.members.count)
/// ```
///
/// Editing one side of a relationship changes the other side at once. If the inverse is a to-one
/// relationship, each member's row stores the key of the owner, which is the object that has this
/// relationship. If the inverse is a to-many relationship, or if there is no inverse, a join table
/// stores the relationship.
///
/// The first use loads the members' keys with one statement. From then on, the context keeps the
/// keys up to date. The first access to a member loads all members that the context does not hold,
/// with one more statement. If your program iterates over many owners, the context loads the keys
/// for several owners at once. The cost of inserting or removing a member does not depend on the
/// number of members.
///
/// Reading never throws. If the members cannot be loaded, the relationship reads as empty. The
/// context's ``ManagedObjectContext/faultHandler`` gets the error, and the context's next throwing
/// operation throws it.
public struct ToMany<Element: ManagedObject>: ToManyRelationship {
    let owner: ManagedObject
    let relationship: Int

    /// Always false, because the members are not ordered.
    public static var isOrdered: Bool { false }

    /// The key path of ``count``, by which a request can sort.
    public static var countKeyPath: AnyKeyPath { \Self.count }

    /// Creates the value of one of the owner's relationships.
    ///
    /// Generated getters call this initializer with the relationship's index.
    public init(of owner: ManagedObject, at relationship: Int) {
        self.owner = owner
        self.relationship = relationship
    }

    /// The number of members, which is the number of objects in an iteration.
    ///
    /// Reading it loads the members' keys with one statement if they are not loaded. If they cannot
    /// be loaded, the count is 0.
    public var count: Int { owner.plainMemberKeys(relationship).count }

    /// The number of members, counted without loading their keys.
    ///
    /// If the keys are not loaded, the store counts the members with one statement. If another
    /// context saves later, ``count`` may return a different number.
    public var countWithoutLoading: Int { owner.memberCount(relationship) }

    /// Whether the relationship has no members.
    public var isEmpty: Bool { count == 0 }

    /// The members' IDs. Reading them creates no objects.
    public var objectIDs: [ManagedObjectID] { owner.memberIDs(relationship) }

    /// Whether an object is a member.
    ///
    /// If the keys are not loaded, the check runs at most one query.
    public func contains(_ object: Element) -> Bool { owner.hasMember(object, relationship) }

    /// Adds an object to the relationship.
    ///
    /// If a member can have only one owner, the call removes the object from its former owner. If
    /// the object is deleted, the call does not add it, and the context's fault handler gets an
    /// error.
    ///
    /// - Precondition: The object and the relationship's owner belong to the same context.
    /// - Returns: True if the object was not a member before.
    @discardableResult
    public func insert(_ object: Element) -> Bool { owner.insertMember(object, relationship) }

    /// Adds objects to the relationship.
    ///
    /// - Precondition: The objects and the relationship's owner belong to the same context.
    public func formUnion(_ objects: some Sequence<Element>) {
        for object in Array(objects) { insert(object) }
    }

    /// Removes an object from the relationship. Does nothing if it is not a member.
    ///
    /// - Returns: True if the object was a member.
    @discardableResult
    public func remove(_ object: Element) -> Bool { owner.removeMember(object, relationship) }

    /// Removes objects from the relationship.
    public func subtract(_ objects: some Sequence<Element>) {
        for object in Array(objects) { remove(object) }
    }

    /// Removes all members from the relationship, without deleting the objects.
    public func removeAll() {
        for member in self { remove(member) }
    }

    /// Replaces the members with the given objects.
    ///
    /// Objects that are already members are not changed.
    ///
    /// - Precondition: The objects and the relationship's owner belong to the same context.
    public func replaceAll(with objects: some Sequence<Element>) {
        let wanted = Array(objects)
        let identities = Set(wanted.map { ObjectIdentifier($0) })
        for member in self where !identities.contains(ObjectIdentifier(member)) { remove(member) }
        for object in wanted { insert(object) }
    }

    /// A request for the members, which you can filter, sort, count and page.
    ///
    /// ```swift
    /// let grown = try context.find(team.members.request.where { $0.age >= 18 })
    /// ```
    ///
    /// If the members' own rows store the relationship, the request returns the objects that are
    /// members when it runs. If a join table stores the relationship, the request returns the
    /// objects that are members when you read this property.
    public var request: FetchRequest<Element> { owner.memberRequest(relationship) }
}

extension ToMany: Sequence {
    /// Returns an iterator over the current members. Later edits do not change the iteration.
    ///
    /// If another context has deleted a member's row since the keys were loaded, the iterator
    /// returns a placeholder object, whose ``ManagedObject/objectState`` is
    /// ``ObjectState/detached``.
    public func makeIterator() -> MemberIterator<Element> {
        MemberIterator(owner.members(relationship, as: Element.self))
    }
}
