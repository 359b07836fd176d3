package import RecordStackModel

/// The order of objects that have none of their own: that of what they are known by, which is the same in every store.
package struct IdentityOrder {
    private var known: [ObjectIdentifier: [FilterPath]] = [:]

    package init() {}

    /// Objects in the order of their identities, where they have one, and of their IDs.
    /// - Throws: what loading one of them throws.
    package mutating func sorted(_ objects: [ManagedObject]) throws -> [ManagedObject] {
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
        let paths = known[entity.typeIdentity] ?? entity.identityPaths
        known[entity.typeIdentity] = paths
        try object.load()
        return paths.map { (object.identityValue(at: $0), $0.collation) }
    }
}

extension ManagedObject {
    /// A part of what the object is known by; null where there is none, or it cannot be loaded.
    package final func identityValue(at path: FilterPath) -> StoredValue {
        var object = self
        for step in path.steps {
            // What is not an object of a context is in no model.
            let type = step.destination.type as! ManagedObject.Type
            guard let next = object.relatedObject(type, at: step.slot), (try? next.load()) != nil
            else { return .null }
            object = next
        }
        return object.storedValue(at: path.slot)
    }
}
