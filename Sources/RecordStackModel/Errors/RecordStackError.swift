/// Every error that RecordStack throws of its own accord.
///
/// ```swift
/// do {
///     try await stack.saveWithBlock { context in … }
/// } catch let error as RecordStackError where error.code == .validation {
///     for failure in error.failures { print(failure) }
/// }
/// ```
///
/// The message says what happened and what to do. What a program's own closure throws passes
/// through unchanged.
public struct RecordStackError: Error, Sendable {
    /// What kind of error it is. New ones may come; switch over it with a default.
    public let code: Code
    /// What happened, and what to do about it.
    public package(set) var message: String
    /// The error behind this one.
    public let cause: (any Error)?
    /// The entity concerned.
    public let entity: String?
    /// The object concerned.
    public let objectID: ManagedObjectID?
    /// The property concerned.
    public let property: String?
    /// The row of the import concerned, from 0.
    public let row: Int?
    /// Everything that failed validation; empty unless the code is ``Code/validation``.
    public let failures: [ValidationFailure]
    /// Everything that was changed on both sides; empty unless the code is ``Code/conflict``.
    public let conflicts: [MergeConflict]
    /// The objects that stand in the way: those that a delete rule protects where the code is
    /// ``Code/deletionDenied``, and the one that has the unique value already where it is ``Code/constraint``.
    public let blockers: [ManagedObjectID]
    /// Whether a save failed because what it refers to is not in the store.
    package var isDangling = false
    /// What the message is for each operation that can fail with the error; nil where it is the same for all.
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
    /// The code and the message, and the error behind them where the message does not quote it.
    public var description: String {
        let behind = cause.map { "\($0)" } ?? ""
        return message.contains(behind) || behind.isEmpty
            ? "\(code): \(message)" : "\(code): \(message) (\(behind))"
    }
}
