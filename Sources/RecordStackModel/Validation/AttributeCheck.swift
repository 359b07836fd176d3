/// A rule of an attribute, with the closure that checks it.
package struct AttributeCheck: Sendable {
    package let rule: ValidationFailure.Rule
    /// The message about a value that breaks the rule, to follow the property's name.
    package let text: String
    /// Returns true if a value satisfies the rule.
    ///
    /// It is not called with null.
    package let accepts: @Sendable (StoredValue) -> Bool

    /// Returns the failure of a value that breaks the rule.
    package func failure(
        of value: StoredValue, _ attribute: AttributeDescription, _ objectID: ManagedObjectID?,
        in entity: EntityDescription
    ) -> ValidationFailure {
        ValidationFailure(
            entity: entity, objectID: objectID, slot: entity.slots[attribute.slot], rule: rule,
            value: value, text: text)
    }
}

extension AttributeDescription {
    /// Returns the failures of a value, including the failure of a required value that is missing.
    package func failures(
        of value: StoredValue, objectID: ManagedObjectID?, in entity: EntityDescription
    ) -> [ValidationFailure] {
        if !value.isNull {
            return checks.filter { !$0.accepts(value) }.map {
                $0.failure(of: value, self, objectID, in: entity)
            }
        }
        if isOptional { return [] }
        return [
            ValidationFailure(
                entity: entity, objectID: objectID, slot: entity.slots[slot], rule: .required,
                value: .null)
        ]
    }
}

/// The attribute for which a rule is declared.
struct CheckedAttribute {
    let valueType: any AttributeValue.Type
    let type: AttributeType

    /// Whether the attribute's values, or those in its Optional, are of a type.
    func holds<Value: AttributeValue>(_ type: Value.Type) -> Bool {
        valueType == type || valueType == Optional<Value>.self
    }

    /// Whether a type is the Optional of the attribute's type.
    func isOptional<Value: AttributeValue>(of type: Value.Type) -> Bool {
        Value.isOptional && Value.wrappedTypeName == typeName && Value.attributeType == self.type
    }

    /// The type's name, without Optional.
    var typeName: String { valueType.wrappedTypeName }
}

/// A rule that does not fit its attribute, with advice.
///
/// The text continues a sentence that begins with “Person.age ”.
struct RuleProblem: Error {
    let text: String
}

/// A declared rule, before its attribute is known.
struct DeclaredRule: Sendable {
    let resolve: @Sendable (CheckedAttribute) throws(RuleProblem) -> AttributeCheck
}

extension AttributeOptions {
    /// Returns the checks of the rules that fit the attribute, and messages about the other rules.
    func checks(of attribute: CheckedAttribute) -> (checks: [AttributeCheck], problems: [String]) {
        var checks: [AttributeCheck] = []
        var problems: [String] = []
        for rule in rules {
            do throws(RuleProblem) {
                checks.append(try rule.resolve(attribute))
            } catch {
                problems.append(error.text)
            }
        }
        return (checks, problems)
    }
}

extension ValidationFailure.Rule {
    /// Returns the check of this rule.
    func check(
        of attribute: CheckedAttribute, _ message: String?,
        _ accepts: @escaping @Sendable (StoredValue) -> Bool
    ) -> AttributeCheck {
        AttributeCheck(
            rule: self, text: message ?? RuleText.text(of: self, type: attribute.type),
            accepts: accepts)
    }
}
