/// The effect of deleting an object on the objects at the other end of a relationship.
///
/// ```swift
/// @Relationship(deleteRule: .cascade) var notes: ToMany<Note>       // in Person
/// ```
///
/// Declare the rule in the entity whose object is deleted. The rule applies as soon as you delete
/// the object, before the save. The rules have the same names and meanings as in Core Data.
public enum DeleteRule: String, Sendable, Hashable, Codable {
    /// Keeps the related objects and clears their references to the deleted object.
    case nullify
    /// Deletes the related objects too, and applies their delete rules.
    case cascade
    /// Prevents the deletion while a related object exists that the same deletion does not delete.
    case deny
    /// Leaves the related objects unchanged, including their references to the deleted object.
    ///
    /// A save that finds such a reference throws ``RecordStackError/Code/constraint``. Use this
    /// rule if your program changes the related objects before it saves. As with every rule, the
    /// deleted object's rows in join tables are deleted.
    case noAction
}

/// An option of a relationship, declared with `@Relationship(…)`.
public struct RelationshipOption: Sendable {
    let apply: @Sendable (inout RelationshipDescription) -> Void

    /// Requires a related object.
    ///
    /// An object without a related object fails validation. A to-many relationship must have at
    /// least one member. For a to-one relationship, the generated `create` method takes the related
    /// object as an argument.
    public static let required = RelationshipOption { $0.isRequired = true }

    /// Sets the name of the relationship's column or join table.
    ///
    /// A to-one relationship has a column. A many-to-many relationship has a join table.
    public static func stored(as name: String) -> RelationshipOption {
        RelationshipOption { $0.declaredStoredName = name }
    }

    /// Makes a to-many relationship of an entity to itself its own inverse, as between friends.
    ///
    /// If one object is a friend of another, the other is also a friend of the first. The option
    /// exists because `inverse:` cannot name the property to which it belongs.
    public static let symmetric = RelationshipOption { $0.isSymmetric = true }

    /// Confirms that the relationship has no inverse, although its destination refers back.
    ///
    /// The option only silences the warning ``StackWarning/Kind/missingInverse``.
    public static let oneWay = RelationshipOption { $0.isOneWay = true }

    /// Limits the number of members of a to-many relationship to a range.
    ///
    /// You can write `.count(2...4)`, `.count(1...)` or `.count(...10)`. If the relationship has
    /// fewer or more members at a save, the save fails validation.
    public static func count(_ range: ClosedRange<Int>) -> RelationshipOption {
        RelationshipOption { $0.memberCount = range }
    }

    /// Sets the minimum number of members of a to-many relationship.
    public static func count(_ range: PartialRangeFrom<Int>) -> RelationshipOption {
        RelationshipOption { $0.memberCount = range.lowerBound...Int.max }
    }

    /// Sets the maximum number of members of a to-many relationship.
    public static func count(_ range: PartialRangeThrough<Int>) -> RelationshipOption {
        RelationshipOption { $0.memberCount = 0...max(0, range.upperBound) }
    }
}

/// A relationship of an entity: its name, its destination and its declared options.
public struct RelationshipDescription: Sendable {
    /// The property's name.
    public let name: String
    /// The declared stored name, or the property's name if none is declared.
    ///
    /// For a to-one relationship, this is the name of its column. A join table has this name only
    /// if the name was declared.
    public var storedName: String { declaredStoredName ?? name }
    /// Whether the relationship refers to many objects.
    public let isToMany: Bool
    /// Whether the members of the relationship are ordered.
    public let isOrdered: Bool
    /// True if an object without a related object fails validation.
    public internal(set) var isRequired = false
    /// The effect on the related objects when the object is deleted.
    public let deleteRule: DeleteRule
    /// The permitted number of members of a to-many relationship, or nil if any number is valid.
    public var requiredCount: ClosedRange<Int>? {
        memberCount ?? (isToMany && isRequired ? 1...Int.max : nil)
    }
    /// True if the relationship is its own inverse.
    public internal(set) var isSymmetric = false
    /// True if the relationship is declared to have no inverse.
    package internal(set) var isOneWay = false
    var memberCount: ClosedRange<Int>?
    package internal(set) var imports = ImportDeclaration()
    package var declaredStoredName: String?
    /// The slot of a to-one relationship, or nil for a to-many relationship.
    public internal(set) var slot: Int?
    /// The index among the entity's relationships.
    package internal(set) var index = 0

    /// The entity at the other end.
    ///
    /// Each access looks up the entity. The description does not contain it, because two entities
    /// can refer to each other.
    public var destination: EntityDescription { destinationType.entityDescription }
    package let destinationType: any ManagedEntity.Type

    /// The key path of the inverse; nil unless this side declares it.
    package let inverseKeyPath: (any AnyKeyPath & Sendable)?
}
