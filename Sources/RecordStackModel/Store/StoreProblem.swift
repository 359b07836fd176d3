/// A problem in a store's file.
public struct StoreProblem: Sendable, Hashable, CustomStringConvertible {
    /// The kind of a problem.
    public enum Kind: Sendable, Hashable {
        /// A page, row or index is damaged.
        case damage
        /// A row refers to an object that does not exist.
        case danglingReference
        /// Another program has written a value that the row's attribute cannot have.
        case wrongValue
    }

    /// The kind of the problem.
    public let kind: Kind
    /// The location of the problem or, for damage, SQLite's own message.
    public let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
