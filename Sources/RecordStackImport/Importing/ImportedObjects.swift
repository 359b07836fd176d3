import RecordStackGraph
import RecordStackModel

/// The objects of an import, of all entities.
final class ImportedObjects {
    private let context: ManagedObjectContext
    private var known: [ObjectIdentifier: LookupTable] = [:]

    private let neighbors: LookupNeighbors

    /// Creates the tables of an import.
    ///
    /// - Parameter callsHooks: true if the import calls code of the program.
    init(_ context: ManagedObjectContext, callsHooks: Bool) {
        self.context = context
        neighbors = callsHooks ? .hooks : .none
    }

    /// Returns the table for a mapping; nil for an entity without an identity.
    ///
    /// Entities that inherit one identity share a table.
    func objects(of mapping: ImportMapping) throws -> LookupTable? {
        if let objects = mapping.objects { return objects }
        if mapping.entity.identitySlots.isEmpty { return nil }
        let owner = mapping.identityOwner
        let objects =
            try known[owner.typeIdentity]
            ?? LookupTable(
                // A model contains only entities whose types inherit from `ManagedObject`.
                of: owner.type as! ManagedObject.Type, in: context,
                slots: mapping.entity.identitySlots, beside: neighbors)
        known[owner.typeIdentity] = objects
        mapping.objects = objects
        return objects
    }

    /// Discards the requested keys and their objects.
    func beginBatch() {
        for objects in known.values { objects.beginBatch() }
    }

    func prepare() throws {
        for objects in known.values { try objects.prepare() }
    }
}
