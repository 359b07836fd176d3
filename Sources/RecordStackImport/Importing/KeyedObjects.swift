import RecordStackGraph
import RecordStackModel

/// The objects of an entity by their identity: those that a batch of rows wants are looked for with one query.
final class KeyedObjects {
    // Of no generic type: it is asked for every row.
    private let lookup: LookupTable

    init(of type: ManagedObject.Type, slots: [Int], in context: ManagedObjectContext) throws {
        lookup = try LookupTable(of: type, in: context, slots: slots)
    }

    /// A row of the batch is of the object with the key, or leads to it.
    /// - Returns: the key's place in the batch.
    @discardableResult
    func want(_ key: LookupKey) -> Int { lookup.want(key) }

    /// Looks for all that is wanted.
    func prepare() throws { try lookup.prepare() }

    func object(for key: LookupKey) throws -> ManagedObject? { try lookup.object(for: key) }

    /// - Parameter place: the key's place in the batch, where that is known.
    func object(for key: LookupKey, at place: Int?) throws -> ManagedObject? {
        try place == nil ? lookup.object(for: key) : lookup.object(for: key, at: place)
    }

    /// Takes note of an object that was made or changed.
    /// - Parameter key: the key that it has, where that is known.
    func keep(_ object: ManagedObject, as key: LookupKey?) { lookup.keep(object, as: key) }

    /// Makes room for so many objects.
    func reserve(_ count: Int) { lookup.reserve(count) }
}

/// The objects of an import, of whatever entity.
final class ImportedObjects {
    private let context: ManagedObjectContext
    private var known: [ObjectIdentifier: KeyedObjects] = [:]

    init(_ context: ManagedObjectContext) {
        self.context = context
    }

    /// Entities that inherit one identity share what is known. Nil for an entity without an identity.
    func objects(of mapping: ImportMapping) throws -> KeyedObjects? {
        if let objects = mapping.objects { return objects }
        if mapping.entity.identitySlots.isEmpty { return nil }
        let owner = mapping.identityOwner
        let objects =
            try known[owner.typeIdentity]
            ?? KeyedObjects(
                // What is not an object of a context is in no model.
                of: owner.type as! ManagedObject.Type, slots: mapping.entity.identitySlots,
                in: context)
        known[owner.typeIdentity] = objects
        mapping.objects = objects
        return objects
    }

    func prepare() throws {
        for objects in known.values { try objects.prepare() }
    }
}
