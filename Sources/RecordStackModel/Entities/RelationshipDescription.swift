/// What becomes of the objects at the other end when an object is deleted.
public enum DeleteRule: String, Sendable, Hashable, Codable {
    /// They stay, and no longer refer to the deleted object.
    case nullify
}

/// One thing said of a relationship with `@Relationship(…)`.
public struct RelationshipOption: Sendable {
    let apply: @Sendable (inout RelationshipDescription) -> Void

    /// An object without the relationship fails validation, and `create` asks for it.
    public static let required = RelationshipOption { $0.isRequired = true }

    /// The column has another name than the property.
    public static func stored(as name: String) -> RelationshipOption {
        RelationshipOption { $0.storedName = name }
    }
}

/// A relationship of an entity to another: its name, its destination, and what was declared
/// beside it.
public struct RelationshipDescription: Sendable {
    /// The property's name.
    public let name: String
    /// The column's name; a to-many relationship has no column of its own.
    public internal(set) var storedName: String
    /// Whether it leads to many objects.
    public let isToMany: Bool
    /// Whether an object without it fails validation.
    public internal(set) var isRequired = false
    /// What becomes of the other end when the object is deleted.
    public let deleteRule: DeleteRule
    /// The place in the entity's rows; nil for a to-many relationship.
    public internal(set) var slot: Int?
    /// The place among the entity's relationships.
    package internal(set) var index = 0

    /// The entity at the other end.
    ///
    /// It is looked up when asked for: two entities that refer to one another could not be made
    /// before each other.
    public var destination: EntityDescription { destinationType.entityDescription }
    package let destinationType: any ManagedEntity.Type

    /// The property at the other end, where it is declared on this side.
    package let inverseKeyPath: (any AnyKeyPath & Sendable)?
}
