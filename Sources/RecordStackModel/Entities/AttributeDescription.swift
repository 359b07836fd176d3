/// An attribute of an entity: its name, its type, and what was declared beside it.
public struct AttributeDescription: Sendable {
    /// The property's name.
    public let name: String
    /// The column's name.
    public let storedName: String
    /// What the values are and how they are kept.
    public let type: AttributeType
    /// Whether null is one of the values.
    public let isOptional: Bool
    /// Makes the value of a new object; nil where none was declared.
    let makeDefault: (@Sendable () -> StoredValue)?
    /// The Swift type's name, without Optional, for messages. Names of types take long to find.
    package var typeName: String { valueType.wrappedTypeName }
    /// The Swift type, which may be an Optional.
    let valueType: any AttributeValue.Type
    /// Whether a stored value can be one of the type's values.
    package let accepts: @Sendable (StoredValue) -> Bool
    /// What was declared with `@Attribute(…)`.
    package let options: AttributeOptions
    /// The rules that values keep besides being there, in the order of their declaration. Null keeps
    /// all of them.
    public let rules: [ValidationFailure.Rule]
    /// The same, and those of every value of the type, with the ways to find out.
    package let checks: [AttributeCheck]
    /// What is wrong with declared rules.
    let problems: [String]
    /// The slot in the entity's rows.
    public internal(set) var slot = 0

    /// The value of a new object, if one was declared. What was declared is evaluated each time.
    public var defaultValue: StoredValue? { makeDefault?() }

    /// Whether a new object has a value from the start.
    public var hasDefault: Bool { makeDefault != nil || isOptional }

    /// A stored value as the type stores it; nil where it is none of the type's.
    package func normalized(_ value: StoredValue) -> StoredValue? {
        func pass<Value: AttributeValue>(through type: Value.Type) -> StoredValue? {
            type.init(storedValue: value)?.storedValue
        }
        return pass(through: valueType)
    }

    /// Whether an object without a value fails validation.
    public var isRequired: Bool { !isOptional }

    /// Whether no two objects may have the same value.
    public var isUnique: Bool { options.isUnique }
}

/// What `@Attribute(…)` says of an attribute.
///
/// ```swift
/// @Attribute(.unique, .imported(from: "e-mail", "contact.mail")) var email: String
/// ```
package struct AttributeOptions: Sendable {
    var isUnique = false
    /// How the index is sorted; nil for none.
    package var index: Collation?
    var storedName: String?
    package var imports = ImportDeclaration()
    var rules: [DeclaredRule] = []
}

/// One thing said of an attribute with `@Attribute(…)`.
public struct AttributeOption: Sendable {
    let apply: @Sendable (inout AttributeOptions) -> Void

    /// No two objects have the same value; null never equals null. The store keeps the rule, and
    /// an index with it.
    public static let unique = AttributeOption { $0.isUnique = true }

    /// The store keeps an index, for filters and sort orders that begin with the attribute.
    public static let indexed = AttributeOption { $0.index = .binary }

    /// The store keeps an index by a collation. An index by another collation than the attribute's
    /// own does not serve filters and sort orders that do not name it.
    public static func indexed(collation: Collation) -> AttributeOption {
        AttributeOption { $0.index = collation }
    }

    /// The value is kept in the object alone, not in the store. The `@Entity` macro reads it; an
    /// entity by hand declares an ordinary property instead.
    public static let transient = AttributeOption { _ in }

    /// The column has another name than the property.
    public static func stored(as name: String) -> AttributeOption {
        AttributeOption { $0.storedName = name }
    }
}
