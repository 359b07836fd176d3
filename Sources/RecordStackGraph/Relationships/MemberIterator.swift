/// An iterator over the members that a relationship had when the iterator was created.
///
/// ```swift
/// var members = team.members.makeIterator()
/// while let member = members.next() { print(member.name) }
/// ```
public struct MemberIterator<Element: ManagedObject>: IteratorProtocol {
    @usableFromInline let objects: [ManagedObject]
    @usableFromInline var index = 0

    init(_ objects: [ManagedObject]) {
        self.objects = objects
    }

    /// Returns the next member, or nil after the last one.
    @inlinable
    public mutating func next() -> Element? {
        while index < objects.count {
            let object = objects[index]
            index += 1
            // Most objects have exactly the declared class, which proves the downcast. A cast
            // checks more. If another program has made an object of another class a member, the
            // object is skipped.
            if type(of: object) == Element.self { return unsafeDowncast(object, to: Element.self) }
            if let object = object as? Element { return object }
        }
        return nil
    }
}
