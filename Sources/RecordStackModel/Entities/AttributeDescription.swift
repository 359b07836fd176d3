/// An attribute of an entity: its name, its type and its declared options.
public struct AttributeDescription: Sendable {
    /// The property's name.
    public let name: String
    /// The column's name.
    public let storedName: String
    /// The type of the values, which determines how they are stored.
    public let type: AttributeType
    /// Whether the attribute can be null.
    public let isOptional: Bool
    /// Creates the value of a new object; nil if no default was declared.
    let makeDefault: (@Sendable () -> StoredValue)?
    /// The Swift type's name without Optional, for messages.
    ///
    /// It is computed on access, because the runtime is slow at finding type names.
    package var typeName: String { valueType.wrappedTypeName }
    /// The Swift type, which may be an Optional.
    let valueType: any AttributeValue.Type
    /// Returns whether a stored value can be a value of the type.
    package let accepts: @Sendable (StoredValue) -> Bool
    /// The options declared with `@Attribute(…)`.
    package let options: AttributeOptions
    /// The declared rules, in the order of their declaration.
    ///
    /// The list does not contain the rule that a value is required. A null does not break any of
    /// the listed rules.
    public let rules: [ValidationFailure.Rule]
    /// The checks of the declared rules, and the checks that apply to all values of the type.
    package let checks: [AttributeCheck]
    /// Error messages about the declared rules.
    let problems: [String]
    /// The slot of the attribute: its index in the entity's rows.
    public internal(set) var slot = 0

    /// The declared default value, or nil if there is none.
    ///
    /// Each access evaluates the declared expression.
    public var defaultValue: StoredValue? { makeDefault?() }

    /// Whether a new object has a valid value before the program sets one.
    ///
    /// The value is the declared default or, for an optional attribute, nil.
    public var hasDefault: Bool { makeDefault != nil || isOptional }

    /// Returns a stored value in the form that the attribute's type writes; nil if it is not valid.
    package func normalized(_ value: StoredValue) -> StoredValue? {
        func pass<Value: AttributeValue>(through type: Value.Type) -> StoredValue? {
            type.init(storedValue: value)?.storedValue
        }
        return pass(through: valueType)
    }

    /// Whether an object without a value fails validation.
    public var isRequired: Bool { !isOptional }

    /// Whether all objects must have different values.
    public var isUnique: Bool { options.isUnique }
}

/// The options that `@Attribute(…)` declares for an attribute.
///
/// ```swift
/// @Attribute(.unique, .imported(from: "e-mail", "contact.mail")) var email: String
/// ```
package struct AttributeOptions: Sendable {
    var isUnique = false
    /// The collation of the index; nil if there is no index.
    package var index: Collation?
    var storedName: String?
    package var imports = ImportDeclaration()
    var rules: [DeclaredRule] = []
}

/// An option of an attribute, declared with `@Attribute(…)`.
public struct AttributeOption: Sendable {
    let apply: @Sendable (inout AttributeOptions) -> Void

    /// Requires that no two objects have the same value.
    ///
    /// The store enforces the rule with an index. Any number of objects can have nil.
    public static let unique = AttributeOption { $0.isUnique = true }

    /// Adds an index to the store, for filters and sort keys that use the attribute.
    public static let indexed = AttributeOption { $0.index = .binary }

    /// Adds an index with a collation to the store.
    ///
    /// The index serves only filters and sort keys that use its collation.
    public static func indexed(collation: Collation) -> AttributeOption {
        AttributeOption { $0.index = collation }
    }

    /// Keeps the value in the object, and does not store it.
    ///
    /// The `@Entity` macro evaluates this option. In an entity written by hand, declare an ordinary
    /// property instead.
    public static let transient = AttributeOption { _ in }

    /// Sets the name of the column, which is the property's name by default.
    public static func stored(as name: String) -> AttributeOption {
        AttributeOption { $0.storedName = name }
    }
}
