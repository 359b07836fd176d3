/// The allowed values of an attribute, as declared.
struct ChoiceRule<Value: AttributeValue>: Sendable {
    let values: [Value]

    func check(
        of attribute: CheckedAttribute, _ message: String?
    ) throws(RuleProblem) -> AttributeCheck {
        let name = attribute.typeName
        if values.isEmpty {
            throw RuleProblem(
                text: "has a .oneOf without a value. Write those that it may have.")
        }
        var stored: [StoredValue] = []
        for value in values {
            guard let own = Self.stored(value, in: attribute) else {
                throw RuleProblem(
                    text:
                        "is of type \(name), and \(value) of its .oneOf is none. Write values of type "
                        + "\(name).")
            }
            stored.append(own)
        }
        let allowed = Set(stored)
        return ValidationFailure.Rule.oneOf(stored).check(of: attribute, message) {
            allowed.contains($0)
        }
    }

    /// Returns a value as a value of the attribute; nil if the attribute cannot have it.
    private static func stored(_ value: Value, in attribute: CheckedAttribute) -> StoredValue? {
        if attribute.holds(Value.self) { return value.storedValue.isNull ? nil : value.storedValue }
        guard let number = NumberKind.convert(value, to: attribute.type) else { return nil }
        return canonical(number, as: attribute.valueType)
    }

    /// Returns a number in the form in which a type stores it; nil if the type cannot hold it.
    private static func canonical<Own: AttributeValue>(
        _ number: StoredValue, as type: Own.Type
    ) -> StoredValue? {
        let whole: StoredValue
        if case .real(let real) = number, NumberKind(type.attributeType) == .integer {
            guard let exact = Int64(exactly: real) else { return nil }
            whole = .integer(exact)
        } else {
            whole = number
        }
        guard let stored = Own(storedValue: whole)?.storedValue, stored == whole else { return nil }
        return stored
    }
}
