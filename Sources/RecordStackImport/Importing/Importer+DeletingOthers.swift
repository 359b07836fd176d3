package import RecordStackGraph
package import RecordStackModel

extension Importer {
    /// Starts recording the objects that have rows, so that the other objects can be deleted.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for an entity without an identity.
    package func watchObjects() throws {
        if mapping.entity.identitySlots.isEmpty {
            throw RecordStackError(
                .misuse,
                "Objects of \(mapping.entity.name) are known by nothing, so that nobody can say which of them the source "
                    + "does not have any more. Mark an attribute .unique.",
                entity: mapping.entity.name)
        }
        seen = SeenObjects()
    }

    /// Deletes objects that had no row, applies their delete rules, and counts them.
    ///
    /// - Parameters:
    ///   - ids: the objects that may be deleted.
    ///   - find: returns the objects of some IDs.
    /// - Throws: any error of finding or deleting the objects.
    package func deleteOthers(
        among ids: [ManagedObjectID], but seen: SeenObjects,
        find: ([ManagedObjectID]) throws -> [ManagedObject]
    ) throws {
        if let row = seen.unknownRow {
            return note(
                row,
                "The row was left out, and of which object it is cannot be told: so nothing was deleted."
            )
        }
        let gone = ids.filter { !seen.ids.contains($0) }
        for start in stride(from: 0, to: gone.count, by: Self.deletionBatch) {
            for object in try find(
                Array(gone[start..<min(start + Self.deletionBatch, gone.count)]))
            {
                // The deletion of another object may already have deleted this one.
                if object.objectState == .deleted || object.objectState == .detached { continue }
                try object.delete()
                countDeleted()
            }
        }
    }

    private static var deletionBatch: Int { 500 }
}
