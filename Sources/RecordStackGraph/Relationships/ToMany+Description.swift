extension ToMany: CustomStringConvertible {
    /// The members' IDs if they are loaded, as in `[Person/1, Person/2]`.
    ///
    /// Loads nothing.
    public var description: String { owner.memberText(relationship) }
}

extension OrderedToMany: CustomStringConvertible {
    /// The members' IDs in order if they are loaded, as in `[Person/2, Person/1]`.
    ///
    /// Loads nothing.
    public var description: String { owner.memberText(relationship) }
}
