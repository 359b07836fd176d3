public import RecordStackGraph
import RecordStackModel

extension ManagedObjectContext {
    /// Returns a dump of everything that the context sees.
    ///
    /// The dump contains the stored objects with the unsaved changes of the context and its
    /// ancestors. The call loads all objects of the store.
    ///
    /// - Throws: Any error of a fetch.
    public func dump() throws -> StackDump {
        try DumpBuilder(context: self).dump()
    }
}

extension ContextStack {
    /// Returns a dump of everything in the store.
    ///
    /// - Throws: Any error of a fetch.
    public func dump() throws -> StackDump {
        let context: ManagedObjectContext = newContext(name: "dump")
        return try context.dump()
    }
}

extension TestStack {
    /// Returns a dump of everything in the store.
    ///
    /// - Throws: Any error of a fetch.
    public func dump() throws -> StackDump { try stack.dump() }
}

/// Reads and names every object of a context.
private struct DumpBuilder {
    let context: ManagedObjectContext
    private let model: ManagedObjectModel
    /// The objects of each entity, in their order.
    private var objects: [[ManagedObject]]
    private var names: [StackDump.Key: String] = [:]
    /// The index of each object among all objects, which are in the order of their entities' names.
    private var positions: [StackDump.Key: Int] = [:]
    private var order = IdentityOrder()
    /// The members of to-many relationships, in their order.
    private var members: [Relation: [StackDump.Reference]] = [:]

    /// A to-many relationship of an object. Its index is the one in the object's entity.
    private struct Relation: Hashable {
        let owner: StackDump.Key
        let relationship: Int
    }

    init(context: ManagedObjectContext) throws {
        self.context = context
        model = context.model
        objects = try model.modelEntities.map { entity in
            try context.objects(of: entity.description).filter {
                type(of: $0).entityDescription.isSame(as: entity.description)
            }
        }
        for list in objects { for object in list { try object.load() } }
        for index in objects.indices { try sortAndName(index) }
        for index in byName {
            for object in objects[index] { positions[key(object, index)] = positions.count }
        }
        for index in byName { collectMembers(in: index) }
    }

    /// The indexes of the entities, in the order of their names.
    private var byName: [Int] {
        model.entities.indices.sorted {
            model.entities[$0].name.utf8.lexicographicallyPrecedes(model.entities[$1].name.utf8)
        }
    }

    func dump() throws -> StackDump {
        let entities = byName.map { index in
            StackDump.Entity(
                name: model.entities[index].name,
                objects: objects[index].map { object(of: $0, index) })
        }
        return StackDump(
            entities: entities, store: StoreMark(uuid: context.storeUUID))
    }
}

// MARK: Names

extension DumpBuilder {
    private func key(_ object: ManagedObject, _ entity: Int) -> StackDump.Key {
        StackDump.Key(
            hierarchy: model.modelEntities[entity].hierarchy, number: object.objectID.key)
    }

    private mutating func sortAndName(_ index: Int) throws {
        let entity = model.entities[index]
        objects[index] = try order.sorted(objects[index])
        let paths = entity.identityPaths
        var seen: [String: Int] = [:]
        for (objectIndex, object) in objects[index].enumerated() {
            var name = "\(entity.name) #\(objectIndex + 1)"
            if let identity = identity(of: object, entity, paths) {
                name = "\(entity.name) \(identity)"
                // Two unsaved objects can have the same identity.
                let times = seen[name, default: 0] + 1
                seen[name] = times
                if times > 1 { name += " (\(times))" }
            }
            names[key(object, index)] = name
        }
    }

    /// Returns the text of an object's identity, or nil if a part of it is missing.
    private func identity(
        of object: ManagedObject, _ entity: EntityDescription, _ paths: [FilterPath]
    ) -> String? {
        let isSet = entity.identitySlots.allSatisfy(object.isSet)
        let parts = paths.compactMap { path -> String? in
            let value = object.identityValue(at: path)
            let slot = (path.steps.last?.destination ?? entity).slots[path.slot]
            // The key of an object without an identity is different in each store.
            return value.isNull || slot.relationship != nil
                ? nil : ValueText.text(of: value, type: slot.type)
        }
        return paths.isEmpty || !isSet || parts.count < paths.count
            ? nil : parts.joined(separator: ", ")
    }

    private func reference(_ key: StackDump.Key, _ entity: EntityDescription)
        -> StackDump.Reference
    {
        // Another program may have deleted the destination's row.
        StackDump.Reference(name: names[key] ?? "\(entity.name) (missing)", key: key)
    }
}

// MARK: Values

extension DumpBuilder {
    private func text(
        _ object: ManagedObject, _ slot: Int, _ entity: EntityDescription
    ) -> String {
        guard object.isSet(at: slot) else { return "unset" }
        return ValueText.text(of: object.storedValue(at: slot), type: entity.slots[slot].type)
    }

    private func object(of object: ManagedObject, _ index: Int) -> StackDump.Object {
        let entity = model.entities[index]
        let attributes = entity.attributes.map {
            StackDump.Property(
                name: $0.name, value: .text(StackDump.Text(text: text(object, $0.slot, entity))))
        }
        let relationships = entity.relationships.enumerated().map {
            relationshipIndex, relationship in
            StackDump.Property(
                name: relationship.name,
                value: value(of: relationship, at: relationshipIndex, object, index))
        }
        return StackDump.Object(
            reference: reference(key(object, index), entity),
            properties: attributes + relationships)
    }

    private func value(
        of relationship: RelationshipDescription, at relationshipIndex: Int,
        _ object: ManagedObject, _ index: Int
    ) -> StackDump.Value {
        guard let slot = relationship.slot else {
            let relation = Relation(owner: key(object, index), relationship: relationshipIndex)
            return .references(members[relation] ?? [], isOrdered: relationship.isOrdered)
        }
        guard let key = destinationKey(of: object, slot, relationshipIndex, index) else {
            return .text(StackDump.Text(text: object.isSet(at: slot) ? "nil" : "unset"))
        }
        return .reference(reference(key, relationship.destination))
    }

    private func destinationKey(
        of object: ManagedObject, _ slot: Int, _ relationshipIndex: Int, _ index: Int
    ) -> StackDump.Key? {
        guard case .integer(let number) = object.storedValue(at: slot) else { return nil }
        let destination = model.modelEntities[index].relationships[relationshipIndex].destination
        return StackDump.Key(
            hierarchy: model.modelEntities[destination].hierarchy, number: number)
    }

    /// Collects members in the relationship's own order, or else in the order of their objects.
    private mutating func collectMembers(in index: Int) {
        let entity = model.modelEntities[index]
        for object in objects[index] {
            for (relationshipIndex, relationship) in entity.description.relationships.enumerated()
            where relationship.isToMany {
                let destination = entity.relationships[relationshipIndex].destination
                let hierarchy = model.modelEntities[destination].hierarchy
                var keys = object.relatedKeys(relationshipIndex).map {
                    StackDump.Key(hierarchy: hierarchy, number: $0)
                }
                if !relationship.isOrdered {
                    keys.sort { positions[$0, default: 0] < positions[$1, default: 0] }
                }
                let relation = Relation(
                    owner: key(object, index), relationship: relationshipIndex)
                members[relation] = keys.map {
                    reference($0, relationship.destination)
                }
            }
        }
    }
}
