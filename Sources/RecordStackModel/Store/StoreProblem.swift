/// A problem in a store's file.
public struct StoreProblem: Sendable, Hashable, CustomStringConvertible {
    /// The kind of a problem.
    public enum Kind: Sendable, Hashable {
        /// Pages, rows or indexes are damaged.
        case damage
        /// A row refers to an object that does not exist.
        case danglingReference
        /// A row has a value that its attribute cannot have, which another program has written.
        case wrongValue
    }

    /// The kind of the problem.
    public let kind: Kind
    /// The location of the problem; for damage, SQLite's own message.
    public let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
