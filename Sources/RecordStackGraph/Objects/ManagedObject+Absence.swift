package import RecordStackModel

extension ManagedObject {
    /// The reason why nothing can be done with the object, as the rest of a sentence after its ID.
    ///
    /// Nil if the object belongs to a context and is not deleted there.
    final var absence: String? {
        if has(ObjectFlags.reset) {
            return "belongs to no context any more, because its context was reset"
        }
        if has(ObjectFlags.gone) { return goneAbsence }
        if has(ObjectFlags.detached) {
            return "stands in for an object that was deleted or cannot be loaded"
        }
        if anchor.context == nil {
            return "belongs to no context any more, because its context is gone"
        }
        if !has(ObjectFlags.deleted) { return nil }
        return has(ObjectFlags.orphaned) ? "was deleted elsewhere" : "is to be deleted"
    }

    /// The reason for an object of which nothing is left, from flags that detaching does not clear.
    private final var goneAbsence: String {
        if !has(ObjectFlags.stored) && rowVersion == .noRow {
            return
                "was new, and was rolled back, deleted or taken out of its context before it was saved"
        }
        if has(ObjectFlags.deleted) && !has(ObjectFlags.orphaned) { return "was deleted" }
        return rowVersion == .noRow ? "has no row in the store" : "was deleted elsewhere"
    }

    /// Returns an error about an object that its context does not have, or has lost.
    ///
    /// - Parameters:
    ///   - consequence: The effect on the call, as a sentence.
    ///   - code: The kind of error.
    package final func absent(
        _ consequence: String, as code: RecordStackError.Code = .misuse
    ) -> RecordStackError {
        RecordStackError(
            code, "\(objectID) \(absence ?? "belongs to another context"). \(consequence)",
            entity: objectID.entityName, objectID: objectID)
    }
}
