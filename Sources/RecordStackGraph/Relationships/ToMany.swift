public import RecordStackModel

/// The members of a to-many relationship, in no order.
///
/// ```swift
/// team.members.insert(person)          // person.team is team now
/// for member in team.members { print(member.name) }
/// print(team.members.count)
/// ```
///
/// Editing one side changes the other at once. If the other side is a to-one relationship, each
/// member's row stores the owner's key. If it is a to-many relationship as well, or if there is no
/// inverse, a join table stores the relationship.
///
/// The first use loads the members' keys with one statement, and they are kept up to date from then
/// on. The first access to the objects loads all missing ones with one more statement. If a program
/// iterates over many owners, the keys of several owners are loaded together. The cost of inserting
/// or removing a member does not depend on the number of members.
///
/// Reading never throws. If the members cannot be loaded, the relationship reads as empty, and the
/// error is reported like that of an attribute.
public struct ToMany<Element: ManagedObject>: ToManyRelationship {
    let owner: ManagedObject
    let relationship: Int

    /// Whether the members are ordered: false.
    public static var isOrdered: Bool { false }

    /// The key path of ``count``, for sorting by it.
    public static var countKeyPath: AnyKeyPath { \Self.count }

    /// Creates the relationship of an object by its index. Generated code.
    public init(of owner: ManagedObject, at relationship: Int) {
        self.owner = owner
        self.relationship = relationship
    }

    /// The number of members, which is the number of objects in an iteration.
    ///
    /// Loads the members' keys with one statement if they are not loaded. Returns 0 if they cannot
    /// be loaded.
    public var count: Int { owner.plainMemberKeys(relationship).count }

    /// The number of members, without loading their keys.
    ///
    /// If the keys are not loaded, the store counts the members with one statement. After a save of
    /// another context, ``count`` may return another number a moment later.
    public var countWithoutLoading: Int { owner.memberCount(relationship) }

    /// Whether the relationship has no members.
    public var isEmpty: Bool { count == 0 }

    /// The members' IDs, without creating objects.
    public var objectIDs: [ManagedObjectID] { owner.memberIDs(relationship) }

    /// Whether an object is a member.
    ///
    /// If the keys are not loaded, the check costs one lookup at most.
    public func contains(_ object: Element) -> Bool { owner.hasMember(object, relationship) }

    /// Adds an object to the relationship.
    ///
    /// If the object can have only one owner, it leaves its former owner. A deleted object is not
    /// added, and the context's fault handler gets the error.
    ///
    /// - Precondition: Both objects belong to the same context.
    /// - Returns: True if the object was not a member before.
    @discardableResult
    public func insert(_ object: Element) -> Bool { owner.insertMember(object, relationship) }

    /// Adds objects to the relationship.
    ///
    /// - Precondition: All objects belong to the same context.
    public func formUnion(_ objects: some Sequence<Element>) {
        for object in Array(objects) { insert(object) }
    }

    /// Removes an object from the relationship; does nothing if it is not a member.
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

    /// Replaces the members with some objects; those that are members already are not changed.
    ///
    /// - Precondition: All objects belong to the same context.
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
    /// If each member's row stores the owner's key, the request returns the members as of the
    /// moment when it runs. Otherwise it returns the members as of the moment when you read this
    /// property.
    public var request: FetchRequest<Element> { owner.memberRequest(relationship) }
}

extension ToMany: Sequence {
    /// Returns an iterator over the current members; later edits do not change the iteration.
    ///
    /// If another context has deleted a member's row since the keys were loaded, the member is a
    /// placeholder object, whose ``ManagedObject/objectState`` is ``ObjectState/detached``.
    public func makeIterator() -> MemberIterator<Element> {
        MemberIterator(owner.members(relationship, as: Element.self))
    }
}
