/// What the deletion of an object of an entity does to others.
package struct DeletionRules: Sendable {
    /// The entity's relationships to what is deleted with it.
    package internal(set) var cascades: [Int] = []
    /// The entity's relationships to what stands in the way.
    package internal(set) var denials: [Int] = []
    /// What refers to an object of the entity, and refers to nothing when that is deleted.
    package internal(set) var clearedReferences: [ModelReference] = []
}

extension ModelResolver {
    mutating func collectDeletionRules(of index: Int) {
        var rules = DeletionRules()
        for relationship in entities[index].relationships {
            switch relationship.deleteRule {
            case .cascade: rules.cascades.append(relationship.index)
            case .deny: rules.denials.append(relationship.index)
            case .nullify, .noAction: break
            }
        }
        rules.clearedReferences = modelEntities[index].references.filter {
            becomesNil($0, of: index)
        }
        modelEntities[index].deletion = rules
    }

    /// Whether the delete rule of the inverse relationship sets a reference to nil.
    private func becomesNil(_ reference: ModelReference, of entity: Int) -> Bool {
        let relationship = modelEntities[reference.entity].relationships[reference.relationship]
        guard let inverse = relationship.inverse,
            entities[entity].relationships.indices.contains(inverse),
            modelEntities[relationship.destination].kinds.contains(entity)
        else { return true }
        switch entities[entity].relationships[inverse].deleteRule {
        case .nullify: return true
        // All that refer to it are deleted; or those that do not know it yet are left to the store.
        case .cascade, .deny, .noAction: return false
        }
    }
}
