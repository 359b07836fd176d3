import RecordStackGraph
import RecordStackModel

/// The objects of an entity by their identity: those that a batch of rows wants are looked for with one query.
final class KeyedObjects {
    private var lookup: ObjectLookup<ManagedObject>
    private var wanted: Set<LookupKey> = []

    init(of type: ManagedObject.Type, slot: Int, in context: ManagedObjectContext) throws {
        lookup = try ObjectLookup(of: type, in: context, slots: [slot])
    }

    /// A row of the batch is of the object with the key, or leads to it.
    func want(_ key: LookupKey) { wanted.insert(key) }

    /// Looks for all that is wanted.
    func prepare() throws {
        try lookup.prepare(wanted)
        wanted.removeAll(keepingCapacity: true)
    }

    func object(for key: LookupKey) throws -> ManagedObject? { try lookup.object(for: key) }

    /// Takes note of an object that was made or changed.
    func keep(_ object: ManagedObject) { lookup.keep(object) }
}

/// The objects of an import, of whatever entity.
final class ImportedObjects {
    private let context: ManagedObjectContext
    private var known: [ObjectIdentifier: KeyedObjects] = [:]

    init(_ context: ManagedObjectContext) {
        self.context = context
    }

    /// Nil for an entity without an identity.
    func objects(of mapping: ImportMapping) throws -> KeyedObjects? {
        let key = ObjectIdentifier(mapping)
        if let objects = known[key] { return objects }
        guard let slot = mapping.entity.identity?.slot else { return nil }
        let objects = try KeyedObjects(of: mapping.type, slot: slot, in: context)
        known[key] = objects
        return objects
    }

    func prepare() throws {
        for objects in known.values { try objects.prepare() }
    }
}
