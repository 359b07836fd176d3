/// Something that is wrong with a store's file.
public struct StoreProblem: Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: Sendable, Hashable {
        /// Pages, rows or indexes are not as SQLite writes them.
        case damage
        /// A row refers to an object that is not there.
        case danglingReference
        /// A row has what no object can have: a value that is none of its attribute, which another program wrote.
        case wrongValue
    }

    /// What is wrong.
    public let kind: Kind
    /// Where, in SQLite's words for damage.
    public let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
