extension ToMany: CustomStringConvertible {
    /// The members' IDs where they are loaded: `[Person/1, Person/2]`. Loads nothing.
    public var description: String { owner.memberText(relationship) }
}

extension OrderedToMany: CustomStringConvertible {
    /// The members' IDs, in their order, where they are loaded: `[Person/2, Person/1]`. Loads nothing.
    public var description: String { owner.memberText(relationship) }
}
