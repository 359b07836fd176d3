/// Goes through the members of a to-many relationship as they were when it was made.
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

    /// The next member; nil behind the last.
    @inlinable
    public mutating func next() -> Element? {
        while index < objects.count {
            let object = objects[index]
            index += 1
            // Most are of the very class that was declared; a cast looks at more. One of another class
            // was made a member by another program, and is left out.
            if type(of: object) == Element.self { return unsafeDowncast(object, to: Element.self) }
            if let object = object as? Element { return object }
        }
        return nil
    }
}
