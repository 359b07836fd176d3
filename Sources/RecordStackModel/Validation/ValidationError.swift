/// What an object's own checks find wrong: one thing or several.
///
/// `validateForInsert()`, `validateForUpdate()` and `validateForDelete()` of an object throw it. The
/// save then fails with everything that is wrong, in all objects.
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
/// A message that begins with a capital letter is a sentence and stands by itself; any other goes after
/// the property's name: "End must be after the start."
public struct ValidationError: Error, Sendable, CustomStringConvertible {
    package struct Problem: Sendable {
        package let message: String
        package let keyPath: (any AnyKeyPath & Sendable)?
        /// What was found by other means, as it was found.
        package let failure: ValidationFailure?
    }

    package private(set) var problems: [Problem] = []

    /// Nothing wrong so far.
    public init() {}

    /// One thing that is wrong, with a property or with the object as a whole.
    public init(_ message: String, property: (any AnyKeyPath & Sendable)? = nil) {
        add(message, property: property)
    }

    /// Whether nothing was found wrong.
    public var isEmpty: Bool { problems.isEmpty }

    /// Adds a thing that is wrong.
    public mutating func add(_ message: String, property: (any AnyKeyPath & Sendable)? = nil) {
        problems.append(Problem(message: message, keyPath: property, failure: nil))
    }

    /// Runs another check, and adds what it throws: a superclass's, for instance.
    ///
    /// ```swift
    /// error.collect { try super.validateForInsert() }
    /// ```
    public mutating func collect(_ check: () throws -> Void) {
        do { try check() } catch { add(error) }
    }

    /// Throws, if anything was found wrong.
    public func throwIfAny() throws {
        if !isEmpty { throw self }
    }

    /// Adds what a check has thrown, whatever it is.
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

    /// The messages.
    public var description: String { problems.map(\.message).joined(separator: " ") }
}
