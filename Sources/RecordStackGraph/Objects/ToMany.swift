import RecordStackModel

/// The objects at the other end of a to-many relationship, in no order.
///
/// ```swift
/// team.members.insert(person)          // person.team is team now
/// for member in team.members { print(member.name) }
/// print(team.members.count)
/// ```
///
/// A to-many relationship is the other side of a to-one: what is stored is each member's to-one,
/// and editing one side changes the other at once. Its keys are loaded when they are first needed,
/// with one statement, and then kept up to date; objects are made when they are touched.
///
/// Reading never throws. What cannot be loaded reads as empty, and the error goes where those of
/// attributes go.
public struct ToMany<Element: ManagedObject> {
    let owner: ManagedObject
    let relationship: Int

    /// The relationship of an object, by its place. Generated code.
    public init(of owner: ManagedObject, at relationship: Int) {
        self.owner = owner
        self.relationship = relationship
    }

    /// How many members there are.
    public var count: Int { owner.memberKeys(relationship).count }

    /// Whether there is none.
    public var isEmpty: Bool { count == 0 }

    /// Whether an object is one of them.
    public func contains(_ object: Element) -> Bool {
        guard let slot = owner.inverseSlot(of: relationship) else { return false }
        object.willAccessValue()
        return object.storedKey(at: slot) == owner.keyValue
            && !object.has(ObjectFlags.deleted)
            && object.anchor === owner.anchor
    }

    /// Makes an object a member. It leaves the one that it was a member of.
    /// - Precondition: both are of the same context.
    public func insert(_ object: Element) {
        guard let slot = owner.inverseSlot(of: relationship) else { return }
        owner.requireSameContext(as: object)
        if !contains(object) { object.setReference(owner.keyValue, at: slot) }
    }

    /// Makes an object a member no longer. One that is none stays as it is.
    public func remove(_ object: Element) {
        guard let slot = owner.inverseSlot(of: relationship), contains(object) else { return }
        object.setReference(0, at: slot)
    }

    /// Makes these, and no others, the members.
    /// - Precondition: all are of the same context.
    public func replaceAll(with objects: some Sequence<Element>) {
        let wanted = Array(objects)
        for member in self where !wanted.contains(where: { $0 === member }) { remove(member) }
        for object in wanted { insert(object) }
    }
}

extension ToMany: Sequence {
    /// The members as they are now; editing while iterating changes nothing of the iteration.
    public func makeIterator() -> IndexingIterator<[Element]> {
        (owner.members(relationship) as? [Element] ?? []).makeIterator()
    }
}
