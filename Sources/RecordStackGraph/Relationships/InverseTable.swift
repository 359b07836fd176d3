import RecordStackModel

/// The inverses to update when a to-one relationship of an entity changes.
///
/// They depend on the model alone.
final class InverseTable: Sendable {
    /// A to-one relationship whose inverse stores something that must change with it.
    struct Reference {
        enum Inverse {
            /// A to-one relationship, with its slot.
            case toOne(Int)
            /// An ordered to-many relationship, with the index of the join table for its order.
            case ordered(Int)
        }

        let slot: Int
        let inverse: Inverse
        let destination: Int
        /// The inverse's index among the destination's relationships.
        let relationship: Int

        /// Whether the relationship is one-to-one.
        var isOneToOne: Bool { if case .toOne = inverse { true } else { false } }
    }

    /// A to-one relationship whose inverse is a to-many relationship.
    struct BackReference {
        let slot: Int
        /// The index of the to-many relationship in the model, and among its owner's relationships.
        let relation: Int
        let relationship: Int
        /// The hierarchy of the owners.
        let hierarchy: Int
        /// Whether the to-many relationship is ordered.
        let isOrdered: Bool
    }

    let references: [Reference]
    let backReferences: [BackReference]

    init(of entity: ModelEntity, in model: ManagedObjectModel) {
        references = entity.relationships.compactMap { Reference($0, in: model) }
        backReferences = entity.relationships.compactMap { BackReference($0, in: model) }
    }
}

extension InverseTable.Reference {
    fileprivate init?(_ relationship: ModelRelationship, in model: ManagedObjectModel) {
        guard let slot = relationship.slot, let inverseIndex = relationship.inverse else {
            return nil
        }
        let back = model.modelEntities[relationship.destination].relationships[inverseIndex]
        switch (back.slot, back.storage) {
        case (let slot?, _): inverse = .toOne(slot)
        case (_, .members(_, let order?)): inverse = .ordered(order)
        default: return nil
        }
        self.slot = slot
        destination = relationship.destination
        self.relationship = inverseIndex
    }
}

extension InverseTable.BackReference {
    fileprivate init?(_ relationship: ModelRelationship, in model: ManagedObjectModel) {
        guard let slot = relationship.slot, let inverse = relationship.inverse else { return nil }
        let owner = model.modelEntities[relationship.destination]
        let back = owner.relationships[inverse]
        guard back.slot == nil else { return nil }
        self.slot = slot
        relation = back.relation
        self.relationship = inverse
        hierarchy = owner.hierarchy
        isOrdered = model.isOrdered(back)
    }
}
