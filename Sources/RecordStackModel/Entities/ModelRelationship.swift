/// A relationship in its model, for an entity that has or inherits it.
package struct ModelRelationship: Sendable {
    /// The relationship's index among all that are declared in the model. Entities that inherit the relationship have
    /// the same index.
    package let relation: Int
    package let destination: Int
    /// The slot of this side's key, or nil where it is to-many.
    package let slot: Int?
    /// The index of the inverse among the destination's relationships.
    package internal(set) var inverse: Int?
    /// How a to-many relationship is kept.
    package internal(set) var storage: RelationStorage
}

/// How a relationship is kept in the store.
package enum RelationStorage: Sendable, Hashable {
    /// As a key in this side's rows.
    case key
    /// As a key in the members' rows. If the members have an order, the index of the join table that keeps it.
    case members(slot: Int, order: Int?)
    /// As rows of the join table with this number.
    case links(Int, end: LinkEnd)
}

/// A side of a join table.
package enum LinkEnd: Int, Sendable, Hashable {
    case first, second

    package var other: LinkEnd { self == .first ? .second : .first }
}

/// A table that relates the objects of two entities, or a column that keeps the order of a to-many relationship.
package struct JoinTable: Sendable {
    package enum Storage: Sendable, Hashable {
        /// A table of its own, with a row for each two related objects.
        case table(name: String)
        /// The positions of members in the order of their owners' relationship, in a column beside the
        /// members' rows that is no property.
        case column(slot: Int)
    }

    /// A side: whose key comes first, or second.
    package struct End: Sendable {
        /// The entity of the keys.
        package let entity: Int
        /// The index in the model of the relationship that refers from here to the other side; nil
        /// if there is none.
        package let relation: Int?
        /// Whether that relationship has an order.
        package let isOrdered: Bool
        /// The column of the keys.
        package let column: String
    }

    package let index: Int
    package let storage: Storage
    /// The owners of the relationship that declares its inverse, or that has none.
    package let first: End
    package let second: End
    /// Whether both sides are one and the same relationship, as among friends.
    package let isSymmetric: Bool

    package func end(_ end: LinkEnd) -> End { end == .first ? first : second }
    /// Whether it is a table of its own, not a column of the members' table.
    package var hasOwnTable: Bool { if case .table = storage { true } else { false } }
}

/// A relationship as it is declared.
package struct ModelRelation: Sendable {
    package let index: Int
    /// The entity that declares the relationship, and the relationship's index there.
    package let entity: Int
    package let relationship: Int
}

/// A to-one relationship that may refer to an entity.
package struct ModelReference: Sendable {
    package let entity: Int
    package let slot: Int
    package let relationship: Int
}
