public import RecordStackModel

/// The objects at the other end of a to-many relationship, in no order.
///
/// ```swift
/// team.members.insert(person)          // person.team is team now
/// for member in team.members { print(member.name) }
/// print(team.members.count)
/// ```
///
/// Editing one side changes the other at once. If the other side is a to-one, each member's row stores the owner's key.
/// If it is a to-many as well, or if nothing refers back, a join table stores the relationship.
///
/// Keys are loaded when they are first needed, with one statement, and then kept up to date; objects
/// are made when they are touched, all that are missing with one more statement. Where a program goes
/// through many owners, the keys of several are loaded together. To insert and to remove cost the same
/// however many members there are.
///
/// Reading never throws. What cannot be loaded reads as empty, and the error goes where those of
/// attributes go.
public struct ToMany<Element: ManagedObject>: ToManyRelationship {
    let owner: ManagedObject
    let relationship: Int

    /// The members have no order of their own.
    public static var isOrdered: Bool { false }

    /// The key path of ``count``, by which programs sort.
    public static var countKeyPath: AnyKeyPath { \Self.count }

    /// The relationship of an object, by its index. Generated code.
    public init(of owner: ManagedObject, at relationship: Int) {
        self.owner = owner
        self.relationship = relationship
    }

    /// The number of members, which is how many an iteration yields. Loads the members' keys if they are not loaded
    /// yet, with one statement; 0 where they cannot be loaded.
    public var count: Int { owner.plainMemberKeys(relationship).count }

    /// The number of members, without loading their keys: if these are not loaded, the store counts them, with
    /// one statement. A save of another context can make ``count`` another number a moment later.
    public var countWithoutLoading: Int { owner.memberCount(relationship) }

    /// Whether there is none.
    public var isEmpty: Bool { count == 0 }

    /// The members' IDs, without making objects.
    public var objectIDs: [ManagedObjectID] { owner.memberIDs(relationship) }

    /// Whether an object is one of them. Where keys are not loaded, it costs a look-up at most.
    public func contains(_ object: Element) -> Bool { owner.hasMember(object, relationship) }

    /// Makes an object a member. Where it can have one owner only, it leaves the one that it had. A
    /// deleted object is left out, which the context's fault handler is told.
    /// - Precondition: both are of the same context.
    /// - Returns: whether it was none before.
    @discardableResult
    public func insert(_ object: Element) -> Bool { owner.insertMember(object, relationship) }

    /// Makes objects members.
    /// - Precondition: all are of the same context.
    public func formUnion(_ objects: some Sequence<Element>) {
        for object in Array(objects) { insert(object) }
    }

    /// Makes an object a member no longer. One that is none stays as it is.
    /// - Returns: whether it was one.
    @discardableResult
    public func remove(_ object: Element) -> Bool { owner.removeMember(object, relationship) }

    /// Makes these members no longer.
    public func subtract(_ objects: some Sequence<Element>) {
        for object in Array(objects) { remove(object) }
    }

    /// Leaves no member. The objects stay.
    public func removeAll() {
        for member in self { remove(member) }
    }

    /// Makes these, and no others, the members. Those that stay are not touched.
    /// - Precondition: all are of the same context.
    public func replaceAll(with objects: some Sequence<Element>) {
        let wanted = Array(objects)
        let identities = Set(wanted.map { ObjectIdentifier($0) })
        for member in self where !identities.contains(ObjectIdentifier(member)) { remove(member) }
        for object in wanted { insert(object) }
    }

    /// The members as a request, to be filtered, sorted, counted and paged.
    ///
    /// ```swift
    /// let grown = try context.find(team.members.request.where { $0.age >= 18 })
    /// ```
    ///
    /// Where each member knows its owner, it asks for whoever is a member when it is run; else for
    /// those that are members now.
    public var request: FetchRequest<Element> { owner.memberRequest(relationship) }
}

extension ToMany: Sequence {
    /// The members as they are now; editing while iterating changes nothing of the iteration.
    ///
    /// A member whose row another context has deleted since the keys were loaded is a placeholder, whose
    /// ``ManagedObject/objectState`` is ``ObjectState/detached``.
    public func makeIterator() -> MemberIterator<Element> {
        MemberIterator(owner.members(relationship, as: Element.self))
    }
}
