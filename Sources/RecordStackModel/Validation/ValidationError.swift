/// One or more problems that an object's own validation finds.
///
/// The methods `validateForInsert()`, `validateForUpdate()` and `validateForDelete()` throw it. The
/// save then fails and reports the problems of all objects.
///
/// ```swift
/// @Entity final class Booking: ManagedObject {
///     @Attribute var start: Date
///     @Attribute var end: Date
///     @Attribute var seats: Int = 1
///
///     override func validateForInsert() throws {
///         if end <= start {
///             throw ValidationError("must be after the start", property: \Booking.end)
///         }
///     }
///
///     override func validateForUpdate() throws {
///         var error = ValidationError()
///         error.collect { try validateForInsert() }
///         if seats < 1 { error.add("A booking has a seat at least.") }
///         try error.throwIfAny()
///     }
/// }
/// ```
///
/// If a message begins with a capital letter, it must be a complete sentence. RecordStack puts the
/// property's name before any other message: "End must be after the start."
public struct ValidationError: Error, Sendable, CustomStringConvertible {
    package struct Problem: Sendable {
        package let message: String
        package let keyPath: (any AnyKeyPath & Sendable)?
        /// The failure of another check; nil for a problem that was added as a message.
        package let failure: ValidationFailure?
    }

    package private(set) var problems: [Problem] = []

    /// Creates an error without any problems.
    public init() {}

    /// Creates an error with a problem of a property, or of the object as a whole.
    public init(_ message: String, property: (any AnyKeyPath & Sendable)? = nil) {
        add(message, property: property)
    }

    /// Whether the error has no problems.
    public var isEmpty: Bool { problems.isEmpty }

    /// Adds a problem of a property, or of the object as a whole.
    public mutating func add(_ message: String, property: (any AnyKeyPath & Sendable)? = nil) {
        problems.append(Problem(message: message, keyPath: property, failure: nil))
    }

    /// Runs another validation, such as the superclass's, and adds the problems that it throws.
    ///
    /// ```swift
    /// error.collect { try super.validateForInsert() }
    /// ```
    public mutating func collect(_ check: () throws -> Void) {
        do { try check() } catch { add(error) }
    }

    /// Throws the error if it has any problems.
    public func throwIfAny() throws {
        if !isEmpty { throw self }
    }

    /// Adds the problems of an error that a check has thrown, whatever its type.
    package mutating func add(_ error: any Error) {
        switch error {
        case let error as ValidationError: problems += error.problems
        case let error as RecordStackError where !error.failures.isEmpty:
            problems += error.failures.map {
                Problem(message: $0.message, keyPath: nil, failure: $0)
            }
        default: add(RuleText.sentence(nil, "\(error)"))
        }
    }

    /// The messages of all problems.
    public var description: String { problems.map(\.message).joined(separator: " ") }
}
