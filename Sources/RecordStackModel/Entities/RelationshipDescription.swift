/// What becomes of the objects at the other end when an object is deleted.
///
/// ```swift
/// @Relationship(deleteRule: .cascade) var notes: ToMany<Note>       // in Person
/// ```
///
/// It is declared at the side whose object is deleted, and applied at once. The names and their
/// meaning are Core Data's.
public enum DeleteRule: String, Sendable, Hashable, Codable {
    /// They stay, and no longer refer to the deleted object.
    case nullify
    /// They are deleted as well, by their own rules in turn.
    case cascade
    /// As long as there are any that are not deleted with it, the object cannot be deleted.
    case deny
    /// Nothing: they go on referring to the deleted object, and a save that leaves it so throws
    /// ``RecordStackError/Code/constraint``. For a program that changes them itself before it saves.
    /// The rows of an object in join tables are deleted with it by any rule.
    case noAction
}

/// One thing said of a relationship with `@Relationship(…)`.
public struct RelationshipOption: Sendable {
    let apply: @Sendable (inout RelationshipDescription) -> Void

    /// An object without the relationship fails validation. For a to-one, `create` asks for it; a
    /// to-many needs a member.
    public static let required = RelationshipOption { $0.isRequired = true }

    /// The column of a to-one relationship, or the table of a to-many one whose objects refer to many
    /// in turn, has another name than the property.
    public static func stored(as name: String) -> RelationshipOption {
        RelationshipOption { $0.declaredStoredName = name }
    }

    /// A to-many relationship among the objects of one entity that is its own inverse: whoever is a
    /// friend of an object has it for a friend. (`inverse:` cannot name the property that it is
    /// declared for.)
    public static let symmetric = RelationshipOption { $0.isSymmetric = true }

    /// The relationship has no inverse, although the destination has relationships that refer here. It is what a
    /// relationship without an inverse is anyway; saying so ends the warning ``StackWarning/Kind/missingInverse``.
    public static let oneWay = RelationshipOption { $0.isOneWay = true }

    /// How many members a to-many relationship must have: `.count(2...4)`, `.count(1...)`,
    /// `.count(...10)`. A save that leaves it with more or fewer fails validation.
    public static func count(_ range: ClosedRange<Int>) -> RelationshipOption {
        RelationshipOption { $0.memberCount = range }
    }

    /// How many members a to-many relationship must have at least.
    public static func count(_ range: PartialRangeFrom<Int>) -> RelationshipOption {
        RelationshipOption { $0.memberCount = range.lowerBound...Int.max }
    }

    /// How many members a to-many relationship may have at most.
    public static func count(_ range: PartialRangeThrough<Int>) -> RelationshipOption {
        RelationshipOption { $0.memberCount = 0...max(0, range.upperBound) }
    }
}

/// A relationship of an entity to another: its name, its destination, and what was declared
/// beside it.
public struct RelationshipDescription: Sendable {
    /// The property's name.
    public let name: String
    /// The column's name, or that of a join table where nothing else was declared.
    public var storedName: String { declaredStoredName ?? name }
    /// Whether it refers to many objects.
    public let isToMany: Bool
    /// Whether its objects have an order of their own.
    public let isOrdered: Bool
    /// Whether an object without it fails validation.
    public internal(set) var isRequired = false
    /// What becomes of the other end when the object is deleted.
    public let deleteRule: DeleteRule
    /// How many members a to-many relationship must have; nil where nothing was declared.
    public var requiredCount: ClosedRange<Int>? {
        memberCount ?? (isToMany && isRequired ? 1...Int.max : nil)
    }
    /// Whether the relationship is its own inverse.
    public internal(set) var isSymmetric = false
    /// Whether it is meant to have no inverse.
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
    /// It is looked up when asked for: two entities that refer to one another could not be made
    /// before each other.
    public var destination: EntityDescription { destinationType.entityDescription }
    package let destinationType: any ManagedEntity.Type

    /// The property at the other end, where it is declared on this side.
    package let inverseKeyPath: (any AnyKeyPath & Sendable)?
}
