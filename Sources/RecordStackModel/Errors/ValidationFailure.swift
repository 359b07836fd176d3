/// A rule that an object breaks.
public struct ValidationFailure: Sendable, CustomStringConvertible {
    /// The rules there are.
    public enum Rule: Sendable, Hashable {
        /// A required property has no value.
        case required
    }

    /// The object.
    public let objectID: ManagedObjectID
    /// The property.
    public let property: String
    /// The rule that it breaks.
    public let rule: Rule
    /// The value it has.
    public let value: StoredValue

    package init(objectID: ManagedObjectID, property: String, rule: Rule, value: StoredValue) {
        self.objectID = objectID
        self.property = property
        self.rule = rule
        self.value = value
    }

    /// A sentence.
    public var description: String {
        switch rule {
        case .required: "\(objectID.entityName).\(property) needs a value (\(objectID))."
        }
    }
}
