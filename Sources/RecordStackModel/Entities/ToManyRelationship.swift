/// What stands for a to-many relationship in an entity: `ToMany` and `OrderedToMany`.
public protocol ToManyRelationship {
    /// What the members are.
    associatedtype Element: ManagedEntity
    /// Whether the members have an order of their own.
    static var isOrdered: Bool { get }
    /// The key path of the number of members, as a program writes it behind that of the relationship.
    static var countKeyPath: AnyKeyPath { get }
}
