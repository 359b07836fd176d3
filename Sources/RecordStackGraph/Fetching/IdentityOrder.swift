package import RecordStackModel

/// An order for objects that have no order of their own: the order of their identities.
///
/// It is the same in every store.
package struct IdentityOrder {
    private var known: [ObjectIdentifier: [FilterPath]] = [:]

    package init() {}

    /// Returns objects in the order of their identities, if they have any, and then of their IDs.
    ///
    /// - Throws: the error of loading an object.
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
    /// Returns a part of the object's identity; null if it is missing or cannot be loaded.
    package final func identityValue(at path: FilterPath) -> StoredValue {
        var object = self
        for step in path.steps {
            // A model has only subclasses of ManagedObject, which `TypeTable` checks.
            let type = step.destination.type as! ManagedObject.Type
            guard let next = object.relatedObject(type, at: step.slot), (try? next.load()) != nil
            else { return .null }
            object = next
        }
        return object.storedValue(at: path.slot)
    }
}
