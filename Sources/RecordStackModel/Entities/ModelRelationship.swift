/// A relationship in its model, for an entity that declares or inherits it.
package struct ModelRelationship: Sendable {
    /// The relationship's index among all relationships that are declared in the model.
    ///
    /// Entities that inherit the relationship have the same index.
    package let relation: Int
    package let destination: Int
    /// The slot of this side's key; nil for a to-many relationship.
    package let slot: Int?
    /// The index of the inverse among the destination's relationships.
    package internal(set) var inverse: Int?
    /// The way in which the relationship is stored.
    package internal(set) var storage: RelationStorage
}

/// The way in which a relationship is stored.
package enum RelationStorage: Sendable, Hashable {
    /// A key in this side's rows.
    case key
    /// A key in the members' rows.
    ///
    /// `order` is the index of the join table that keeps the members' order; nil without an order.
    case members(slot: Int, order: Int?)
    /// The rows of the join table with this index.
    case links(Int, end: LinkEnd)
}

/// A side of a join table.
package enum LinkEnd: Int, Sendable, Hashable {
    case first, second

    package var other: LinkEnd { self == .first ? .second : .first }
}

/// A table that relates the objects of two entities, or a column that keeps the order of members.
package struct JoinTable: Sendable {
    package enum Storage: Sendable, Hashable {
        /// A separate table, with a row for each pair of related objects.
        case table(name: String)
        /// A column of the members' table, with each member's position in its owner's relationship.
        ///
        /// The column is not a property.
        case column(slot: Int)
    }

    /// A side of the table, whose key comes first or second.
    package struct End: Sendable {
        /// The entity of the keys.
        package let entity: Int
        /// The index in the model of the relationship from this side to the other; nil without one.
        package let relation: Int?
        /// Whether the relationship from this side is ordered.
        package let isOrdered: Bool
        /// The column of the keys.
        package let column: String
    }

    package let index: Int
    package let storage: Storage
    /// The side of the relationship that declares the inverse, or that has no inverse.
    package let first: End
    package let second: End
    /// Whether both sides are the same relationship, as among friends.
    package let isSymmetric: Bool

    package func end(_ end: LinkEnd) -> End { end == .first ? first : second }
    /// Whether the rows have a separate table, instead of a column of the members' table.
    package var hasOwnTable: Bool { if case .table = storage { true } else { false } }
}

/// A relationship in the entity that declares it.
package struct ModelRelation: Sendable {
    package let index: Int
    /// The index of the entity that declares the relationship.
    package let entity: Int
    package let relationship: Int
}

/// A to-one relationship that may refer to an entity.
package struct ModelReference: Sendable {
    package let entity: Int
    package let slot: Int
    package let relationship: Int
}
