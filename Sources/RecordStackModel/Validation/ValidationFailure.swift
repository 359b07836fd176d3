/// A violation of a validation rule by an object.
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
/// ``message`` is for people, and ``description`` is for logs. Use ``rule``, ``property`` and
/// ``value`` to write your own messages, for example in another language.
public struct ValidationFailure: Sendable, CustomStringConvertible {
    /// A kind of rule.
    ///
    /// Later versions may add kinds, so add a default case when you switch over the rule.
    public enum Rule: Sendable, Hashable {
        /// A required property has no value.
        case required
        /// A value that `ContextStack.update` would set does not fit into the property's type.
        ///
        /// The associated value is the name of that type.
        case type(String)
        /// A value is out of bounds: see ``AttributeOption/range(_:message:)``.
        case range(ValueRange)
        /// A string has too few or too many characters, or data has too few or too many bytes.
        ///
        /// See ``AttributeOption/length(_:message:)``. If the rule has no upper bound, the range
        /// ends at `Int.max`.
        case length(ClosedRange<Int>)
        /// A string does not match a pattern: see ``AttributeOption/pattern(_:message:)``.
        case pattern(String)
        /// A value is not one of the allowed values: see ``AttributeOption/oneOf(_:message:)``.
        case oneOf([StoredValue])
        /// The encoding of a Codable value throws an error.
        case encodable
        /// A Codable value has more levels of nested arrays and objects than the associated limit.
        ///
        /// The store could not read such a value again.
        case depth(Int)
        /// A value breaks a custom rule: see ``AttributeOption/validated(_:_:)``.
        ///
        /// The associated value is the rule's message.
        case custom(String)
        /// A to-many relationship has too few or too many members.
        ///
        /// See ``RelationshipOption/count(_:)-(ClosedRange<Int>)``. If the rule has no upper bound,
        /// the range ends at `Int.max`. The failure's value is the number of members.
        case count(ClosedRange<Int>)
        /// The object's `validateForInsert()` has thrown an error.
        case validateForInsert
        /// The object's `validateForUpdate()` has thrown an error.
        case validateForUpdate
        /// The object's `validateForDelete()` has thrown an error.
        case validateForDelete
    }

    /// The ID of the object, or nil if a value was checked without an object.
    public let objectID: ManagedObjectID?
    /// The name of the object's entity.
    public let entity: String
    /// The name of the property, or nil if the object as a whole breaks the rule.
    public let property: String?
    /// The property's key path, with the class that declares the property as its root.
    ///
    /// For example, if `Animal` declares the name of a `Dog`, the key path is `\Animal.name`. To
    /// identify a property, compare names, or call ``concerns(_:)``.
    public var keyPath: AnyKeyPath? { knownKeyPath }
    /// The rule that the object breaks.
    public let rule: Rule
    /// The property's value, or null if the object as a whole breaks the rule.
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
    /// The key path's root can be the object's class or one of its superclasses.
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
