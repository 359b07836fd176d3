public import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// Checks whether a value is valid for an attribute, before you assign it to any object.
    ///
    /// For example, use it to check a field of a form.
    ///
    /// ```swift
    /// try Person.validate(\.age, 130)         // throws: "Age must be between 0 and 120."
    /// ```
    ///
    /// The call checks the rules that were declared with the attribute. It also checks that a
    /// required value is present.
    ///
    /// - Throws: ``RecordStackError/Code/validation`` with every rule that the value breaks. Throws
    ///   ``RecordStackError/Code/misuse`` if the key path is not an attribute of the entity.
    public static func validate<Value: AttributeValue>(
        _ keyPath: KeyPath<Self, Value>, _ value: Value
    ) throws {
        let failures = try validationFailures(keyPath, value)
        if failures.isEmpty { return }
        throw RecordStackError.validation(
            failures.map(\.description).joined(separator: " "), failures)
    }

    /// Returns the failures of a value that breaks rules of an attribute; empty for a valid value.
    ///
    /// ```swift
    /// let problems = try Person.validationFailures(\.age, 130).map(\.message)
    /// ```
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` if the key path is not an attribute of the
    ///   entity.
    public static func validationFailures<Value: AttributeValue>(
        _ keyPath: KeyPath<Self, Value>, _ value: Value
    ) throws -> [ValidationFailure] {
        let entity = entityDescription
        guard case .attribute(let attribute)? = entity.anyProperty(at: keyPath) else {
            throw RecordStackError(
                .misuse,
                "The key path is no attribute of \(entity.name). Name one that is stored, by a key "
                    + "path of one step.", entity: entity.name)
        }
        return attribute.failures(of: value.storedValue, objectID: nil, in: entity)
    }
}
