/// A type of to-many relationship: `ToMany` or `OrderedToMany`.
public protocol ToManyRelationship {
    /// The entity of the members.
    associatedtype Element: ManagedEntity
    /// Whether the members are ordered.
    static var isOrdered: Bool { get }
    /// The key path from the relationship to the number of its members.
    ///
    /// RecordStack appends it to the key path of the relationship, as in `\Team.members.count`.
    static var countKeyPath: AnyKeyPath { get }
}
