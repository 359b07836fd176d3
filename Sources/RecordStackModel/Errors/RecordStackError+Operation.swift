extension RecordStackError {
    /// What failed with an error. It decides what is left and what can be done again.
    package enum Operation: Sendable, CaseIterable {
        /// A save of a context. The context keeps its edits.
        case save
        /// A push to the parent. The child keeps its edits.
        case push
        /// A save block. Its context is gone, with what the block did; its parent's edits stay.
        case block
        /// A change of many objects in a transaction of its own. No context has edits of it.
        case batch
    }

    /// Makes an error whose message depends on what fails with it. Until the operation says what it is, the message is
    /// that of a save.
    package init(
        _ code: Code, cause: (any Error)? = nil, entity: String? = nil,
        objectID: ManagedObjectID? = nil, property: String? = nil, conflicts: [MergeConflict] = [],
        wording: @escaping @Sendable (Operation) -> String
    ) {
        self.init(
            code, wording(.save), cause: cause, entity: entity, objectID: objectID,
            property: property, conflicts: conflicts)
        self.wording = wording
    }

    /// The same error, with the message that is true of an operation.
    package func worded(for operation: Operation) -> RecordStackError {
        guard let wording else { return self }
        var error = self
        error.message = wording(operation)
        return error
    }

    /// Runs an operation, and words its errors for it.
    package static func wording<Value>(
        for operation: Operation, _ body: () throws -> Value
    ) throws -> Value {
        do { return try body() } catch let error as RecordStackError {
            throw error.worded(for: operation)
        }
    }
}
