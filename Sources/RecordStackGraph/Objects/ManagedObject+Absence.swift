package import RecordStackModel

extension ManagedObject {
    /// Why nothing can be done with the object, as the end of a sentence that begins with its ID; nil where it belongs to
    /// a context and is not deleted there.
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

    /// What became of an object of which nothing is left. The flags of its life in the context stay.
    private final var goneAbsence: String {
        if !has(ObjectFlags.stored) && rowVersion == .noRow {
            return
                "was new, and was rolled back, deleted or taken out of its context before it was saved"
        }
        if has(ObjectFlags.deleted) && !has(ObjectFlags.orphaned) { return "was deleted" }
        return rowVersion == .noRow ? "has no row in the store" : "was deleted elsewhere"
    }

    /// An error about an object that its context does not have, or not any more.
    /// - Parameters:
    ///   - consequence: what the call does not do, as a sentence.
    ///   - code: the kind of error.
    package final func absent(
        _ consequence: String, as code: RecordStackError.Code = .misuse
    ) -> RecordStackError {
        RecordStackError(
            code, "\(objectID) \(absence ?? "belongs to another context"). \(consequence)",
            entity: objectID.entityName, objectID: objectID)
    }
}
