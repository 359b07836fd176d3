/// A rule that an object breaks.
///
/// ```swift
/// do {
///     try await context.save()
/// } catch let error as RecordStackError where error.code == .validation {
///     for failure in error.failures {
///         show(failure.message, beside: failure.property)     // "Age must be between 0 and 120."
///     }
/// }
/// ```
///
/// ``message`` is for people, and ``description`` is for logs. To write messages of your own, for
/// example in another language, use ``rule``, ``property`` and ``value``.
public struct ValidationFailure: Sendable, CustomStringConvertible {
    /// A kind of rule.
    ///
    /// New kinds may be added: switch over it with a default.
    public enum Rule: Sendable, Hashable {
        /// A required property has no value.
        case required
        /// A value that a batch update produces does not fit into the property's type.
        ///
        /// The associated value is the name of the type.
        case type(String)
        /// A value is out of bounds: see ``AttributeOption/range(_:message:)``.
        case range(ValueRange)
        /// A text has too few or too many characters, or data has too few or too many bytes.
        ///
        /// See ``AttributeOption/length(_:message:)``. A range without an upper bound ends
        /// at `Int.max`.
        case length(ClosedRange<Int>)
        /// A text does not match a pattern: see ``AttributeOption/pattern(_:message:)``.
        case pattern(String)
        /// A value is not one of the allowed values: see ``AttributeOption/oneOf(_:message:)``.
        case oneOf([StoredValue])
        /// A value of a Codable type throws when it is encoded.
        case encodable
        /// A value of a Codable type has more levels of nested arrays and objects than this.
        ///
        /// It could not be read again.
        case depth(Int)
        /// A custom rule with its message: see ``AttributeOption/validated(_:_:)``.
        case custom(String)
        /// A to-many relationship has too few or too many members.
        ///
        /// See ``RelationshipOption/count(_:)-(ClosedRange<Int>)``. A range without an upper bound
        /// ends at `Int.max`. The failure's value is the number of members.
        case count(ClosedRange<Int>)
        /// `validateForInsert()` of the object has thrown an error.
        case validateForInsert
        /// `validateForUpdate()` of the object has thrown an error.
        case validateForUpdate
        /// `validateForDelete()` of the object has thrown an error.
        case validateForDelete
    }

    /// The ID of the object; nil if a value was checked without an object.
    public let objectID: ManagedObjectID?
    /// The name of the object's entity.
    public let entity: String
    /// The name of the property; nil if the object as a whole breaks the rule.
    public let property: String?
    /// The property's key path, rooted in the class that declares the property.
    ///
    /// For the name of a `Dog`, it is `\Animal.name` if the superentity declares the name. To
    /// identify a property, compare names instead, or call ``concerns(_:)``.
    public var keyPath: AnyKeyPath? { knownKeyPath }
    /// The rule that the object breaks.
    public let rule: Rule
    /// The property's value; null if the object as a whole breaks the rule.
    public let value: StoredValue
    /// A sentence for people, such as `Age must be between 0 and 120.`
    public let message: String
    private let details: Details
    private let knownKeyPath: (any AnyKeyPath & Sendable)?

    /// The details that a line in a log needs as well.
    private struct Details: Sendable {
        var text: String
        var type: AttributeType?
        var description: EntityDescription?
    }

    /// Creates a failure whose message follows from the rule alone.
    package init(
        objectID: ManagedObjectID, property: String, rule: Rule, value: StoredValue,
        entity: EntityDescription? = nil
    ) {
        self.init(
            entity, named: objectID.entityName, objectID, property, rule, value,
            text: RuleText.text(of: rule, type: nil))
    }

    /// Creates a failure of a property.
    ///
    /// - Parameter text: the message after the property's name; nil for the rule's own message.
    package init(
        entity: EntityDescription, objectID: ManagedObjectID?, slot: SlotDescription, rule: Rule,
        value: StoredValue, text: String? = nil
    ) {
        self.init(
            entity, named: entity.name, objectID, slot.name, rule, value,
            text: text ?? RuleText.text(of: rule, type: slot.type), type: slot.type)
    }

    private init(
        _ entity: EntityDescription?, named name: String, _ objectID: ManagedObjectID?,
        _ property: String?, _ rule: Rule, _ value: StoredValue, text: String,
        type: AttributeType? = nil, keyPath: (any AnyKeyPath & Sendable)? = nil
    ) {
        self.objectID = objectID
        self.entity = name
        self.property = property
        knownKeyPath = property.flatMap { entity?.keyPath(ofPropertyNamed: $0) } ?? keyPath
        self.rule = rule
        self.value = value
        message = RuleText.sentence(property, text)
        details = Details(text: text, type: type, description: entity)
    }

    /// Creates a failure that an object's own check has found.
    package init(
        _ problem: ValidationError.Problem, in rule: Rule, of objectID: ManagedObjectID,
        entity: EntityDescription, value: (Int) -> StoredValue
    ) {
        let name = problem.keyPath.flatMap { entity.anyProperty(at: $0)?.name }
        let slot = name.flatMap { name in entity.slots.firstIndex { $0.name == name } }
        self.init(
            entity, named: entity.name, objectID, name, rule, slot.map(value) ?? .null,
            text: problem.message, type: slot.map { entity.slots[$0].type },
            keyPath: problem.keyPath)
    }

    /// Returns true if the failure is about a property.
    ///
    /// The key path may be rooted in the object's class or in a class that it inherits from.
    ///
    /// ```swift
    /// let problems = error.failures.filter { $0.concerns(\Person.age) }
    /// ```
    public func concerns(_ keyPath: AnyKeyPath) -> Bool {
        if let known = knownKeyPath, known == keyPath { return true }
        guard let property, let entity = details.description else { return false }
        return entity.anyProperty(at: keyPath)?.name == property
    }

    /// A sentence for logs, with the entity, the property, the rule, the value and the object.
    public var description: String {
        let object = objectID.map { " (\($0))" } ?? ""
        guard let property else { return "\(entity)\(object): \(message)" }
        let subject = "\(entity).\(property)"
        if case .required = rule { return "\(subject) \(details.text)\(object)." }
        if RuleText.isSentence(details.text) {
            return "\(subject) is \(found)\(object): \(message)"
        }
        let verb = if case .count = rule { "has" } else { "is" }
        return "\(subject) \(details.text), and \(verb) \(found)\(object)."
    }

    private var found: String {
        let text = details.type.map { ValueText.text(of: value, type: $0) } ?? "\(value)"
        let limit = 100
        return text.count > limit ? "\(text.prefix(limit))…" : text
    }
}
