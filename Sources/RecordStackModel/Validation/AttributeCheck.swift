/// A rule of an attribute, with the way to find out whether a value keeps it.
package struct AttributeCheck: Sendable {
    package let rule: ValidationFailure.Rule
    /// What is said of a value that breaks it, after the property's name.
    package let text: String
    /// Whether a value keeps it. Never asked of null.
    package let accepts: @Sendable (StoredValue) -> Bool

    /// A value that breaks the rule.
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
    /// The rules that a value breaks, that there must be one included.
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

/// What a rule is declared of.
struct CheckedAttribute {
    let valueType: any AttributeValue.Type
    let type: AttributeType

    /// Whether the attribute's values, or those inside of its Optional, are of a type.
    func holds<Value: AttributeValue>(_ type: Value.Type) -> Bool {
        valueType == type || valueType == Optional<Value>.self
    }

    /// Whether a type is the Optional of the attribute's.
    func isOptional<Value: AttributeValue>(of type: Value.Type) -> Bool {
        Value.isOptional && Value.wrappedTypeName == typeName && Value.attributeType == self.type
    }

    /// The type's name, without Optional.
    var typeName: String { valueType.wrappedTypeName }
}

/// A rule that cannot be one of its attribute, with what to write; it goes on from “Person.age ”.
struct RuleProblem: Error {
    let text: String
}

/// A rule as it was declared, before it is known of which attribute.
struct DeclaredRule: Sendable {
    let resolve: @Sendable (CheckedAttribute) throws(RuleProblem) -> AttributeCheck
}

extension AttributeOptions {
    /// The checks of the rules that fit, and what is wrong with those that do not.
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
    /// The check of this rule.
    func check(
        of attribute: CheckedAttribute, _ message: String?,
        _ accepts: @escaping @Sendable (StoredValue) -> Bool
    ) -> AttributeCheck {
        AttributeCheck(
            rule: self, text: message ?? RuleText.text(of: self, type: attribute.type),
            accepts: accepts)
    }
}
