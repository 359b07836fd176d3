extension ModelResolver {
    /// Numbers the declared relationships and connects each one to its inverse.
    mutating func resolveRelationships() throws {
        for index in entities.indices {
            for relationship in ownRelationships(of: index) {
                try checkOptions(of: relationship, entity: index)
                relations.append(
                    ModelRelation(
                        index: relations.count, entity: index, relationship: relationship.index))
            }
        }
        for index in entities.indices { makeRelationships(of: index) }
        for relation in relations { try resolveInverse(of: relation) }
    }

    /// Returns the relationships that an entity declares itself.
    private func ownRelationships(of index: Int) -> ArraySlice<RelationshipDescription> {
        let inherited = entities[index].superentity?.relationships.count ?? 0
        return entities[index].relationships.dropFirst(inherited)
    }

    private mutating func makeRelationships(of index: Int) {
        modelEntities[index].relationships = entities[index].relationships.map { relationship in
            // The entity or one of its superentities declares it, and the model contains
            // all of them.
            let relation = relations.first {
                $0.relationship == relationship.index
                    && entities[index].isKind(of: entities[$0.entity])
            }!
            return ModelRelationship(
                relation: relation.index,
                // Completing a model adds every destination, so this one is in the model.
                destination: indexes[relationship.destination.typeIdentity]!,
                slot: relationship.slot, storage: .key)
        }
    }

    private func checkOptions(of relationship: RelationshipDescription, entity: Int) throws {
        if relationship.isSymmetric {
            try checkSymmetric(relationship, entity: entities[entity])
        }
        guard !relationship.isToMany, relationship.memberCount != nil else { return }
        throw Self.misuse(
            entities[entity],
            "\(entities[entity].name).\(relationship.name) refers to one object, so it has no count. "
                + "To need one, write @Relationship(.required).", property: relationship.name)
    }

    private func checkSymmetric(
        _ relationship: RelationshipDescription, entity: EntityDescription
    ) throws {
        let name = "\(entity.name).\(relationship.name)"
        let problem: String? =
            if !relationship.isToMany {
                "refers to one object. Declare two to-one relationships, one the inverse of the other"
            } else if !relationship.destination.isSame(as: entity) {
                "refers to \(relationship.destination.name), and only a relationship of \(entity.name) "
                    + "to itself can be its own inverse. Leave .symmetric out"
            } else if relationship.inverseKeyPath != nil {
                "has another inverse as well. Leave one of them out"
            } else {
                nil
            }
        guard let problem else { return }
        throw Self.misuse(
            entity, "\(name) is .symmetric, but \(problem).", property: relationship.name)
    }

    private mutating func resolveInverse(of relation: ModelRelation) throws {
        let entity = entities[relation.entity]
        let relationship = entity.relationships[relation.relationship]
        if relationship.isSymmetric {
            return try tie(relation, relationship, to: relationship, of: relation.entity)
        }
        guard let keyPath = relationship.inverseKeyPath else { return }
        let destination = relationship.destination
        guard case .relationship(let inverse)? = destination.property(at: keyPath),
            entity.isKind(of: inverse.destination) || inverse.destination.isKind(of: entity)
        else {
            throw Self.misuse(
                entity,
                "The inverse of \(entity.name).\(relationship.name) is not a "
                    + "relationship of \(destination.name) that refers back.",
                property: relationship.name)
        }
        try checkEnds(of: relationship, entity: relation.entity, inverse: inverse)
        // Completing a model adds every destination, so this one is in the model.
        let other = indexes[destination.typeIdentity]!
        try tie(relation, relationship, to: inverse, of: other)
    }

    private mutating func tie(
        _ relation: ModelRelation, _ relationship: RelationshipDescription,
        to inverse: RelationshipDescription, of other: Int
    ) throws {
        let mine = modelEntities[relation.entity].relationships[relation.relationship]
        let theirs = modelEntities[other].relationships[inverse.index]
        if theirs.inverse != nil && theirs.relation != mine.relation {
            throw Self.misuse(
                entities[relation.entity],
                "\(entities[relation.entity].name).\(relationship.name) is not the only one that names "
                    + "\(entities[other].name).\(inverse.name) as its inverse. A relationship has one.",
                property: relationship.name)
        }
        for kind in modelEntities[relation.entity].kinds {
            modelEntities[kind].relationships[relation.relationship].inverse = inverse.index
        }
        // An inherited inverse is the inverse for all entities that inherit it.
        let declaring = relations[theirs.relation].entity
        for kind in modelEntities[declaring].kinds {
            modelEntities[kind].relationships[inverse.index].inverse = relationship.index
        }
    }
}

extension ModelResolver {
    /// Whether any to-one relationship has a to-one inverse.
    var hasOneToOneRelationships: Bool {
        modelEntities.contains { entity in
            entity.relationships.contains { relationship in
                guard relationship.slot != nil, let inverse = relationship.inverse else {
                    return false
                }
                return modelEntities[relationship.destination].relationships[inverse].slot != nil
            }
        }
    }
}

// MARK: To-many relationships

extension ModelResolver {
    /// Decides how each to-many relationship is stored.
    mutating func makeJoinTables(_ tables: inout TableNames) throws {
        for relation in relations {
            let description = entities[relation.entity].relationships[relation.relationship]
            guard description.isToMany else { continue }
            let mine = modelEntities[relation.entity].relationships[relation.relationship]
            if mine.storage != .key { continue }
            guard let inverseIndex = mine.inverse else {
                try makeTable(relation, inverse: nil, &tables)
                continue
            }
            let inverse = modelEntities[mine.destination].relationships[inverseIndex]
            if let slot = inverse.slot {
                try setMembers(of: relation, description, inverse, slot: slot)
            } else if description.inverseKeyPath != nil || description.isSymmetric {
                try makeTable(relation, inverse: relations[inverse.relation], &tables)
            }
        }
    }

    private mutating func setMembers(
        of relation: ModelRelation, _ description: RelationshipDescription,
        _ inverse: ModelRelationship, slot: Int
    ) throws {
        if description.declaredStoredName != nil {
            throw Self.misuse(
                entities[relation.entity],
                "\(entities[relation.entity].name).\(description.name) is kept in the column of the "
                    + "relationship that refers back. Write .stored(as:) there.",
                property: description.name)
        }
        var order: Int?
        if description.isOrdered {
            order = joinTables.count
            let member = relations[inverse.relation].entity
            joinTables.append(
                JoinTable(
                    index: joinTables.count, storage: .column(slot: slot),
                    first: JoinTable.End(
                        entity: relation.entity, relation: relation.index, isOrdered: true,
                        column: entities[member].slots[slot].storedName),
                    second: JoinTable.End(
                        entity: member, relation: inverse.relation, isOrdered: false, column: ""),
                    isSymmetric: false))
        }
        setStorage(.members(slot: slot, order: order), of: relation)
    }

    private mutating func setStorage(_ storage: RelationStorage, of relation: ModelRelation) {
        for kind in modelEntities[relation.entity].kinds {
            modelEntities[kind].relationships[relation.relationship].storage = storage
        }
    }

    private mutating func makeTable(
        _ relation: ModelRelation, inverse: ModelRelation?, _ tables: inout TableNames
    ) throws {
        let entity = entities[relation.entity]
        let description = entity.relationships[relation.relationship]
        let other = inverse.map { entities[$0.entity].relationships[$0.relationship] }
        let name = try tableName(of: entity, description, other)
        if let owner = tables.insert(name, of: "\(entity.name).\(description.name)") {
            throw Self.misuse(
                entity,
                "\(owner) and \(entity.name).\(description.name) would share the table \(name). Give "
                    + "the relationship's another name with @Relationship(.stored(as:)).",
                property: description.name)
        }
        let isSame = entity.name.lowercased() == description.name.lowercased()
        let index = joinTables.count
        let destination = modelEntities[relation.entity].relationships[relation.relationship]
            .destination
        joinTables.append(
            JoinTable(
                index: index, storage: .table(name: name),
                first: JoinTable.End(
                    entity: relation.entity, relation: relation.index,
                    isOrdered: description.isOrdered, column: isSame ? "_owner" : entity.name),
                second: JoinTable.End(
                    entity: inverse?.entity ?? destination, relation: inverse?.index,
                    isOrdered: other?.isOrdered ?? false, column: description.name),
                isSymmetric: inverse?.index == relation.index))
        setStorage(.links(index, end: .first), of: relation)
        if let inverse, inverse.index != relation.index {
            setStorage(.links(index, end: .second), of: inverse)
        }
    }

    private func tableName(
        of entity: EntityDescription, _ relationship: RelationshipDescription,
        _ inverse: RelationshipDescription?
    ) throws -> String {
        let owner = entity.superentity == nil ? entity.storedName : entity.name
        let name =
            relationship.declaredStoredName ?? inverse?.declaredStoredName
            ?? "\(owner)_\(relationship.name)"
        if !Self.isReserved(name) && !Self.belongsToSQLite(name) { return name }
        throw Self.misuse(
            entity,
            "\(entity.name).\(relationship.name) would be stored in a table named “\(name)”, which is "
                + "reserved. Give it another name with @Relationship(.stored(as:)).",
            property: relationship.name)
    }
}
