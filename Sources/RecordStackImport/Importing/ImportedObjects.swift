import RecordStackGraph
import RecordStackModel

/// The objects of an import, of whatever entity.
final class ImportedObjects {
    private let context: ManagedObjectContext
    private var known: [ObjectIdentifier: LookupTable] = [:]

    private let neighbors: LookupNeighbors

    /// - Parameter callsHooks: true if the import calls code of the program.
    init(_ context: ManagedObjectContext, callsHooks: Bool) {
        self.context = context
        neighbors = callsHooks ? .hooks : .none
    }

    /// Entities that inherit one identity share what is known. Nil for an entity without an identity.
    func objects(of mapping: ImportMapping) throws -> LookupTable? {
        if let objects = mapping.objects { return objects }
        if mapping.entity.identitySlots.isEmpty { return nil }
        let owner = mapping.identityOwner
        let objects =
            try known[owner.typeIdentity]
            ?? LookupTable(
                // What is not an object of a context is in no model.
                of: owner.type as! ManagedObject.Type, in: context,
                slots: mapping.entity.identitySlots, beside: neighbors)
        known[owner.typeIdentity] = objects
        mapping.objects = objects
        return objects
    }

    /// Forgets the keys that were wanted, and their objects.
    func beginBatch() {
        for objects in known.values { objects.beginBatch() }
    }

    func prepare() throws {
        for objects in known.values { try objects.prepare() }
    }
}
