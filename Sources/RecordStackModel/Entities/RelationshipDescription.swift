/// The effect of deleting an object on the objects at the other end of a relationship.
///
/// ```swift
/// @Relationship(deleteRule: .cascade) var notes: ToMany<Note>       // in Person
/// ```
///
/// Declare the rule on the side whose object is deleted. It applies as soon as the object is
/// deleted, not at the save. The names and their meaning are Core Data's.
public enum DeleteRule: String, Sendable, Hashable, Codable {
    /// Keeps the related objects and clears their references to the deleted object.
    case nullify
    /// Deletes the related objects as well, and applies their delete rules.
    case cascade
    /// Prevents the deletion while a related object exists that is not deleted with it.
    case deny
    /// Leaves the related objects as they are, with their references to the deleted object.
    ///
    /// A save that finds such a reference throws ``RecordStackError/Code/constraint``. Use this
    /// rule if your program changes the related objects before it saves. As with every rule, the
    /// object's rows in join tables are deleted.
    case noAction
}

/// An option of a relationship, declared with `@Relationship(…)`.
public struct RelationshipOption: Sendable {
    let apply: @Sendable (inout RelationshipDescription) -> Void

    /// Fails the validation of an object without the relationship.
    ///
    /// For a to-one relationship, `create` with values takes the related object as an argument. A
    /// to-many relationship must have a member.
    public static let required = RelationshipOption { $0.isRequired = true }

    /// Gives the relationship's column or join table a name that differs from the property's.
    ///
    /// A to-one relationship has a column. A relationship that is to-many on both sides
    /// has a table.
    public static func stored(as name: String) -> RelationshipOption {
        RelationshipOption { $0.declaredStoredName = name }
    }

    /// Makes a to-many relationship of an entity to itself its own inverse, as among friends.
    ///
    /// If one object has another as a friend, the reverse is true as well. The option is needed
    /// because `inverse:` cannot name the property that it is declared for.
    public static let symmetric = RelationshipOption { $0.isSymmetric = true }

    /// Confirms that the relationship has no inverse, although its destination refers back.
    ///
    /// A relationship without an inverse behaves the same without the option. The option silences
    /// the warning ``StackWarning/Kind/missingInverse``.
    public static let oneWay = RelationshipOption { $0.isOneWay = true }

    /// Requires a number of members of a to-many relationship, as in `.count(2...4)`.
    ///
    /// Other forms are `.count(1...)` and `.count(...10)`. A save that leaves the relationship with
    /// more or fewer members fails validation.
    public static func count(_ range: ClosedRange<Int>) -> RelationshipOption {
        RelationshipOption { $0.memberCount = range }
    }

    /// Requires a minimum number of members of a to-many relationship.
    public static func count(_ range: PartialRangeFrom<Int>) -> RelationshipOption {
        RelationshipOption { $0.memberCount = range.lowerBound...Int.max }
    }

    /// Limits the number of members of a to-many relationship.
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
    /// It names the column of a to-one relationship. A join table has this name only if it
    /// is declared.
    public var storedName: String { declaredStoredName ?? name }
    /// Whether the relationship refers to many objects.
    public let isToMany: Bool
    /// Whether the members of the relationship are ordered.
    public let isOrdered: Bool
    /// True if an object without the relationship fails validation.
    public internal(set) var isRequired = false
    /// The effect on the other end when the object is deleted.
    public let deleteRule: DeleteRule
    /// The number of members that a to-many relationship must have; nil without a restriction.
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
    /// The slot in the entity's rows; nil for a to-many relationship.
    public internal(set) var slot: Int?
    /// The index among the entity's relationships.
    package internal(set) var index = 0

    /// The entity at the other end.
    ///
    /// It is looked up on each access, because two entities that refer to each other
    /// cannot both be created first.
    public var destination: EntityDescription { destinationType.entityDescription }
    package let destinationType: any ManagedEntity.Type

    /// The key path of the inverse; nil unless this side declares it.
    package let inverseKeyPath: (any AnyKeyPath & Sendable)?
}
