package import RecordStackGraph
package import RecordStackModel

extension Importer {
    /// Takes note of the objects that rows are of, so that others can be deleted.
    /// - Throws: misuse for an entity whose objects are known by nothing.
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

    /// Deletes objects that no row was of, with what their delete rules say, and counts them.
    /// - Parameters:
    ///   - ids: the objects that may be deleted.
    ///   - find: answers the objects of some IDs.
    /// - Throws: what finding and deleting throws.
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
                // It may have gone with another one.
                if object.objectState == .deleted || object.objectState == .detached { continue }
                try object.delete()
                countDeleted()
            }
        }
    }

    private static var deletionBatch: Int { 500 }
}
