import RecordStackModel

// The required number of members is a rule of the owner, even if the other side was edited.

extension CaptureValidator {
    /// Returns a failure for each owner that the changes leave with too few or too many members.
    func countFailures() throws -> [ValidationFailure] {
        let relations = coordinator.model.countedRelations
        if relations.isEmpty { return [] }
        return try relations.flatMap { relation in
            try changedOwners(of: relation).sorted().compactMap { key in
                guard let owner = try context.objectOrFault(key: key, entity: relation.entity),
                    !owner.has(ObjectFlags.deleted)
                else { return nil }
                return try owner.countFailure(of: relation.relationship)
            }
        }
    }

    /// Whether the capture must count members that are not loaded.
    var hasUncountedOwners: Bool {
        coordinator.model.countedRelations.contains { relation in
            changedOwners(of: relation).contains { isUncounted($0, relation) }
        }
    }

    private func isUncounted(_ key: Int64, _ relation: ModelRelation) -> Bool {
        guard let owner = table(of: relation.entity).object(key) else { return true }
        if owner.has(ObjectFlags.deleted) || !owner.has(ObjectFlags.stored) { return false }
        return owner.recordValue?.members.keys(relation.relationship) == nil
    }

    /// Loads the members that the capture will count, with one statement for each relationship.
    ///
    /// - Returns: The owners, which keep the loaded members alive.
    func loadCountedMembers() throws -> [ManagedObject] {
        var held: [ManagedObject] = []
        for relation in coordinator.model.countedRelations {
            let keys = changedOwners(of: relation).filter { isUncounted($0, relation) }.sorted()
            if keys.isEmpty { continue }
            try context.repairing {
                let owners = try keys.compactMap {
                    try context.objectOrFault(key: $0, entity: relation.entity)
                }
                for (_, alike) in Dictionary(grouping: owners, by: entityIndex) {
                    try context.loadMemberKeys(of: alike, relation.relationship)
                }
                held += owners
            }
        }
        return held
    }

    /// Returns the keys of the new owners and of those whose members this context has changed.
    private func changedOwners(of relation: ModelRelation) -> Set<Int64> {
        let entity = coordinator.model.modelEntities[relation.entity]
        let known = entity.relationships[relation.relationship]
        var owners: Set<Int64> = []
        for object in tables[entity.hierarchy].dirtyObjects
        where object.has(ObjectFlags.inserted) && !object.has(ObjectFlags.deleted)
            && entity.kinds.contains(entityIndex(of: object))
        {
            owners.insert(object.keyValue)
        }
        switch known.storage {
        case .key: break
        case .links(let index, let end):
            for joinRow in context.joinRowEdits.links[index].edits.keys {
                owners.insert(joinRow.key(end))
            }
        case .members(let slot, _):
            let kinds = coordinator.model.modelEntities[known.destination].kinds
            for object in table(of: known.destination).dirtyObjects
            where object.has(ObjectFlags.dirty) && kinds.contains(entityIndex(of: object)) {
                owners.formUnion(object.ownersOfChange(at: slot))
            }
        }
        owners.remove(0)
        return owners
    }
}

extension ManagedObject {
    /// Returns the current and the previous key of a changed to-one relationship.
    fileprivate final func ownersOfChange(at slot: Int) -> [Int64] {
        if isFault { return [] }
        var owners = has(ObjectFlags.deleted) ? [] : [storedKey(at: slot)]
        if !has(ObjectFlags.inserted), case .integer(let key) = committedValue(at: slot) {
            owners.append(key)
        }
        return owners
    }

    /// Returns a failure if a relationship has too few or too many members.
    ///
    /// - Throws: The store's errors if the members cannot be counted, which is not a failure of the
    ///   rule.
    final func countFailure(of relationship: Int) throws -> ValidationFailure? {
        let description = Self.entityDescription
        let declared = description.relationships[relationship]
        guard let range = declared.requiredCount else { return nil }
        let (known, context) = (
            recordValue?.members.keys(relationship)?.count, managedObjectContext
        )
        let count = try known ?? context?.loader.countMembers(of: self, relationship) ?? 0
        if range.contains(count) { return nil }
        return ValidationFailure(
            objectID: objectID, property: declared.name, rule: .count(range),
            value: .integer(Int64(count)), entity: description)
    }
}
