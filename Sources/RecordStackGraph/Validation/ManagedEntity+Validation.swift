public import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// Finds out whether a value could be one of an attribute, before it is given to any object: beside
    /// the field of a form, for instance.
    ///
    /// ```swift
    /// try Person.validate(\.age, 130)         // throws: "Age must be between 0 and 120."
    /// ```
    ///
    /// It looks at the rules that were declared with the attribute, and at whether there is a value where
    /// one is required.
    ///
    /// - Throws: ``RecordStackError/Code/validation`` with every rule that the value breaks, and
    ///   ``RecordStackError/Code/misuse`` for a key path that is no attribute of the entity.
    public static func validate<Value: AttributeValue>(
        _ keyPath: KeyPath<Self, Value>, _ value: Value
    ) throws {
        let failures = try validationFailures(keyPath, value)
        if failures.isEmpty { return }
        throw RecordStackError.validation(
            failures.map(\.description).joined(separator: " "), failures)
    }

    /// Every rule of an attribute that a value would break; none for a good one.
    ///
    /// ```swift
    /// let problems = try Person.validationFailures(\.age, 130).map(\.message)
    /// ```
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a key path that is no attribute of the entity.
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
