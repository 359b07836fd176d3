extension ToMany: CustomStringConvertible {
    /// The members' IDs as in `[Person/1, Person/2]`, or `(not loaded)`.
    ///
    /// Reading the description loads nothing.
    public var description: String { owner.memberText(relationship) }
}

extension OrderedToMany: CustomStringConvertible {
    /// The members' IDs in order as in `[Person/2, Person/1]`, or `(not loaded)`.
    ///
    /// Reading the description loads nothing.
    public var description: String { owner.memberText(relationship) }
}
