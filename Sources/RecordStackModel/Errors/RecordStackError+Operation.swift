extension RecordStackError {
    /// The operation that failed with an error.
    ///
    /// The message depends on it, because operations differ in the edits that they keep and in what
    /// you can try again.
    package enum Operation: Sendable, CaseIterable {
        /// A save of a context, which keeps its edits.
        case save
        /// A push to the parent, after which the child keeps its edits.
        case push
        /// A save block, whose context is gone together with the block's changes.
        ///
        /// The parent keeps its edits.
        case block
        /// A change of many objects in its own transaction, which leaves no edits in a context.
        case batch
    }

    /// Creates an error whose message depends on the operation that fails.
    ///
    /// Until ``worded(for:)`` sets the operation, the message is that of a save.
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

    /// Returns the error with the message for an operation.
    package func worded(for operation: Operation) -> RecordStackError {
        guard let wording else { return self }
        var error = self
        error.message = wording(operation)
        return error
    }

    /// Runs an operation, and gives its errors the message for the operation.
    package static func wording<Value>(
        for operation: Operation, _ body: () throws -> Value
    ) throws -> Value {
        do { return try body() } catch let error as RecordStackError {
            throw error.worded(for: operation)
        }
    }
}
