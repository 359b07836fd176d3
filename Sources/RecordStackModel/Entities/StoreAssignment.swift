/// The assignment of entities to the store and to memory, as a program requests it.
struct StoreAssignment {
    /// The entities of the store.
    let entities: [EntityDescription]
    /// The entities that are kept in memory beside the store.
    let inMemory: [EntityDescription]
}

extension ModelResolver {
    /// Decides which hierarchies are kept in memory.
    ///
    /// - Throws: misuse if an entity has two assignments or a relationship connects two stores.
    mutating func assignStores() throws {
        if stores.inMemory.isEmpty { return }
        for entity in stores.inMemory { try checkAssignment(of: entity) }
        for entity in entitiesInMemory { hierarchies[hierarchy(of: entity)].isInMemory = true }
        for entity in stores.entities where hierarchies[hierarchy(of: entity)].isInMemory {
            // The hierarchy is in memory because of another entity with the same root.
            let other = entitiesInMemory.first { $0.root.isSame(as: entity.root) }!
            throw Self.misuse(
                entity,
                "\(entity.name) and \(other.name) share a table, and only \(other.name) is to be kept in memory. "
                    + "Name both in the same list.")
        }
        for entity in entities { try checkRelationships(of: entity) }
    }

    /// The entities named for memory, and the entities that they refer to.
    ///
    /// Entities that are named for the store are not among them.
    private var entitiesInMemory: [EntityDescription] {
        var result: [EntityDescription] = []
        var waiting = stores.inMemory[...]
        while let entity = waiting.popFirst() {
            if (result + stores.entities).contains(where: { $0.isSame(as: entity) }) { continue }
            result.append(entity)
            waiting += entity.relationships.map(\.destination)
        }
        return result
    }

    private func hierarchy(of entity: EntityDescription) -> Int {
        // Every named entity is part of the model and has a hierarchy.
        modelEntities[indexes[entity.typeIdentity]!].hierarchy
    }

    private func checkAssignment(of entity: EntityDescription) throws {
        if stores.entities.contains(where: { $0.isSame(as: entity) }) {
            throw Self.misuse(
                entity,
                "\(entity.name) is named for the store and for memory. Take it out of one of the lists."
            )
        }
    }

    private func checkRelationships(of entity: EntityDescription) throws {
        let isInMemory = hierarchies[hierarchy(of: entity)].isInMemory
        for relationship in entity.relationships {
            let destination = relationship.destination
            if hierarchies[hierarchy(of: destination)].isInMemory == isInMemory { continue }
            let (here, there) =
                isInMemory ? ("in memory", "in the store") : ("in the store", "in memory")
            throw Self.misuse(
                entity,
                "\(entity.name).\(relationship.name) relates objects of two stores: \(entity.name) is kept "
                    + "\(here), \(destination.name) \(there). Keep both in the same, or have an attribute for "
                    + "what identifies the other object.", property: relationship.name)
        }
    }
}
