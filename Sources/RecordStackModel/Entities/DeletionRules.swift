/// The effects of deleting an object of an entity on related objects.
package struct DeletionRules: Sendable {
    /// The indices of the relationships whose objects are deleted as well.
    package internal(set) var cascades: [Int] = []
    /// The indices of the relationships whose objects prevent the deletion.
    package internal(set) var denials: [Int] = []
    /// The references to objects of the entity that become nil when such an object is deleted.
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
        // Cascade deletes the referring objects, and deny keeps the object. The store's
        // foreign keys check references that remain, such as those of objects that the
        // context has not seen.
        case .cascade, .deny, .noAction: return false
        }
    }
}
