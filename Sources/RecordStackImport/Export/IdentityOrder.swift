import RecordStackGraph
package import RecordStackModel

/// The order of objects that have none of their own: that of what they are known by. Where that is what a to-one
/// relationship leads to, it is what that is known by, so that it is the same in every store.
package struct IdentityOrder {
    private var known: [ObjectIdentifier: [FilterPath]] = [:]

    package init() {}

    /// By what the objects of an entity are sorted; empty where they are known by nothing.
    package static func paths(of entity: EntityDescription) -> [FilterPath] {
        paths(of: entity, through: [], among: [entity.typeIdentity])
    }

    private static func paths(
        of entity: EntityDescription, through steps: [FilterPath.Step],
        among outer: Set<ObjectIdentifier>
    ) -> [FilterPath] {
        entity.identitySlots.flatMap { slot in
            let place = entity.slots[slot]
            if let next = place.relationship.map({ entity.relationships[$0].destination }),
                !next.identitySlots.isEmpty, !outer.contains(next.typeIdentity),
                steps.count < FilterPath.mostSteps
            {
                return paths(
                    of: next, through: steps + [FilterPath.Step(slot: slot, destination: next)],
                    among: outer.union([next.typeIdentity]))
            }
            return [FilterPath(steps: steps, slot: slot, collation: place.type.collation)]
        }
    }

    /// Objects in the order of their identities, where they have one, and of their IDs.
    mutating func sorted(_ objects: [ManagedObject]) throws -> [ManagedObject] {
        if objects.count < 2 { return objects }
        return try objects.map { (try values(of: $0), $0) }.sorted { a, b in
            for (a, b) in zip(a.0, b.0) {
                switch a.value.compare(to: b.value, a.collation) {
                case .before: return true
                case .after: return false
                case .same: continue
                }
            }
            return a.1.objectID.key < b.1.objectID.key
        }.map(\.1)
    }

    private typealias Part = (value: StoredValue, collation: Collation)

    private mutating func values(of object: ManagedObject) throws -> [Part] {
        let entity = type(of: object).entityDescription
        let paths = known[entity.typeIdentity] ?? Self.paths(of: entity)
        known[entity.typeIdentity] = paths
        return try paths.map { (try value(at: $0, of: object), $0.collation) }
    }

    private func value(at path: FilterPath, of object: ManagedObject) throws -> StoredValue {
        var object = object
        try object.load()
        for step in path.steps {
            // What is not an object of a context is in no model.
            let type = step.destination.type as! ManagedObject.Type
            guard let next = object.relatedObject(type, at: step.slot) else { return .null }
            object = next
            try object.load()
        }
        return object.storedValue(at: path.slot)
    }
}
