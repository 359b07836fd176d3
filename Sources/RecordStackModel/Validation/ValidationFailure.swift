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
/// ``message`` is for people, ``description`` for logs. A program with words of its own, in another
/// language for instance, makes them of ``rule``, ``property`` and ``value``.
public struct ValidationFailure: Sendable, CustomStringConvertible {
    /// The rules there are. New ones may come; switch over them with a default.
    public enum Rule: Sendable, Hashable {
        /// A required property has no value.
        case required
        /// A value that a batch update makes does not fit into the property's type, which is named.
        case type(String)
        /// A value lies outside of its bounds; see ``AttributeOption/range(_:message:)``.
        case range(ValueRange)
        /// A text has too few or too many characters, or data bytes; see
        /// ``AttributeOption/length(_:message:)``. A range without an end ends at `Int.max`.
        case length(ClosedRange<Int>)
        /// A text does not match a pattern; see ``AttributeOption/pattern(_:message:)``.
        case pattern(String)
        /// A value is none of those that are allowed; see ``AttributeOption/oneOf(_:message:)``.
        case oneOf([StoredValue])
        /// A value of a Codable type throws when it is encoded.
        case encodable
        /// A value of a Codable type has more arrays and objects inside of one another than this, and could not be read
        /// again.
        case depth(Int)
        /// A rule of the program's own, with its message; see ``AttributeOption/validated(_:_:)``.
        case custom(String)
        /// A to-many relationship has too few or too many members; see
        /// ``RelationshipOption/count(_:)-(ClosedRange<Int>)``. A range without an end ends at `Int.max`;
        /// the value is the number of members.
        case count(ClosedRange<Int>)
        /// What `validateForInsert()` of the object has thrown.
        case validateForInsert
        /// What `validateForUpdate()` of the object has thrown.
        case validateForUpdate
        /// What `validateForDelete()` of the object has thrown.
        case validateForDelete
    }

    /// The object; nil where a value was looked at by itself.
    public let objectID: ManagedObjectID?
    /// The name of the object's entity.
    public let entity: String
    /// The property; nil where the object as a whole breaks the rule.
    public let property: String?
    /// The property's key path, in the class that declares it: `\Animal.name` for the name of a `Dog`
    /// whose superentity has it. Compare names, or use ``concerns(_:)``, where that matters.
    public var keyPath: AnyKeyPath? { knownKeyPath }
    /// The rule that it breaks.
    public let rule: Rule
    /// The property's value; null where the object as a whole breaks the rule.
    public let value: StoredValue
    /// A sentence for people: `Age must be between 0 and 120.`
    public let message: String
    private let details: Details
    private let knownKeyPath: (any AnyKeyPath & Sendable)?

    /// What a line of a log needs besides.
    private struct Details: Sendable {
        var text: String
        var type: AttributeType?
        var description: EntityDescription?
    }

    /// A failure of a rule that says by itself what is wrong.
    package init(
        objectID: ManagedObjectID, property: String, rule: Rule, value: StoredValue,
        entity: EntityDescription? = nil
    ) {
        self.init(
            entity, named: objectID.entityName, objectID, property, rule, value,
            text: RuleText.text(of: rule, type: nil))
    }

    /// A failure of a property.
    ///
    /// - Parameter text: what is said of the property, after its name.
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

    /// A failure that an object's own code has found.
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

    /// Whether the failure is about a property, which may be named by the key path of the object's own
    /// class or of one that it inherits from.
    ///
    /// ```swift
    /// let problems = error.failures.filter { $0.concerns(\Person.age) }
    /// ```
    public func concerns(_ keyPath: AnyKeyPath) -> Bool {
        if let known = knownKeyPath, known == keyPath { return true }
        guard let property, let entity = details.description else { return false }
        return entity.anyProperty(at: keyPath)?.name == property
    }

    /// A sentence for logs: the entity, the property, the rule, the value and the object.
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
