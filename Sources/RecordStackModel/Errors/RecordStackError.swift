/// An error that RecordStack throws.
///
/// ```swift
/// do {
///     try await stack.saveWithBlock { context in … }
/// } catch let error as RecordStackError where error.code == .validation {
///     for failure in error.failures { print(failure) }
/// }
/// ```
///
/// The message says what happened and what to do. Errors that your own closures throw pass through
/// unchanged.
public struct RecordStackError: Error, Sendable {
    /// The kind of the error.
    ///
    /// Later versions may add kinds, so add a default case when you switch over the code.
    public let code: Code
    /// A description of what happened, and what to do about it.
    public package(set) var message: String
    /// The error that caused this error, if there is one.
    public let cause: (any Error)?
    /// The name of the entity that the error is about.
    public let entity: String?
    /// The ID of the object that the error is about.
    public let objectID: ManagedObjectID?
    /// The name of the property that the error is about.
    public let property: String?
    /// The index of the imported row that the error is about, counted from 0.
    public let row: Int?
    /// The validation failures, if the code is ``Code/validation``.
    public let failures: [ValidationFailure]
    /// The merge conflicts, if the code is ``Code/conflict``.
    public let conflicts: [MergeConflict]
    /// The objects that prevented the operation.
    ///
    /// For ``Code/deletionDenied``, they are the related objects that prevent the deletion. For
    /// ``Code/constraint``, there is at most one: the object that already has the unique value.
    public let blockers: [ManagedObjectID]
    /// True if a save failed because a referenced object is not in the store.
    package var isDangling = false
    /// Returns the message for an operation; nil if the message is the same for all operations.
    package var wording: (@Sendable (Operation) -> String)?

    package init(
        _ code: Code, _ message: String, cause: (any Error)? = nil, entity: String? = nil,
        objectID: ManagedObjectID? = nil, property: String? = nil, row: Int? = nil,
        failures: [ValidationFailure] = [], conflicts: [MergeConflict] = [],
        blockers: [ManagedObjectID] = []
    ) {
        self.code = code
        self.message = message
        self.cause = cause
        self.entity = entity
        self.objectID = objectID
        self.property = property
        self.row = row
        self.failures = failures
        self.conflicts = conflicts
        self.blockers = blockers
    }
}

extension RecordStackError: CustomStringConvertible {
    /// The code and the message, and the cause if the message does not quote it.
    public var description: String {
        let behind = cause.map { "\($0)" } ?? ""
        return message.contains(behind) || behind.isEmpty
            ? "\(code): \(message)" : "\(code): \(message) (\(behind))"
    }
}
