/// A property of an entity, with its key path and its name.
///
/// The `@Entity` macro lists the properties of an entity. In an entity written by hand, list them
/// yourself:
///
/// ```swift
/// static func properties<Root: Person>(of root: Root.Type) -> [PropertyDescription] {
///     ManagedObject.properties(of: root) + [
///         .attribute(\Root.email, "email", .unique),
///         .attribute(\Root.age, "age", default: 18),
///         .toOne(\Root.team, "team", inverse: \Team.members),
///     ]
/// }
/// ```
///
/// RecordStack needs both the key path and the name, because on Linux the key path of a computed
/// property does not print its name. Key paths are created on first use.
public struct PropertyDescription: Sendable {
    enum Kind: Sendable {
        case attribute(AttributeDescription)
        case relationship(RelationshipDescription)
    }

    let keyPath: PropertyKeyPath
    let kind: Kind

    /// Describes an attribute without a default.
    ///
    /// Unless the attribute is optional, the program must set it in each new object.
    public static func attribute<Root: ManagedEntity, Value: AttributeValue>(
        _ keyPath: @autoclosure @escaping @Sendable () -> any KeyPath<Root, Value> & Sendable,
        _ name: String,
        _ options: AttributeOption...
    ) -> PropertyDescription {
        attribute(PropertyKeyPath(keyPath), Value.self, name, options, makeDefault: nil)
    }

    /// Describes an attribute with a default value, which is evaluated for each new object.
    public static func attribute<Root: ManagedEntity, Value: AttributeValue>(
        _ keyPath: @autoclosure @escaping @Sendable () -> any KeyPath<Root, Value> & Sendable,
        _ name: String,
        _ options: AttributeOption...,
        default defaultValue: @autoclosure @escaping @Sendable () -> Value
    ) -> PropertyDescription {
        attribute(
            PropertyKeyPath(keyPath), Value.self, name, options,
            makeDefault: { defaultValue().storedValue })
    }

    static func attribute<Value: AttributeValue>(
        _ keyPath: PropertyKeyPath, _ type: Value.Type, _ name: String,
        _ options: [AttributeOption], makeDefault: (@Sendable () -> StoredValue)?
    ) -> PropertyDescription {
        var declared = AttributeOptions()
        for option in options { option.apply(&declared) }
        let (checks, problems) = declared.checks(
            of: CheckedAttribute(valueType: Value.self, type: Value.attributeType))
        let attribute = AttributeDescription(
            name: name, storedName: declared.storedName ?? name, type: Value.attributeType,
            isOptional: Value.isOptional, makeDefault: makeDefault,
            valueType: Value.self,
            accepts: { Value(storedValue: $0) != nil }, options: declared,
            rules: checks.map(\.rule),
            checks: Value.attributeType == .json ? checks + AttributeCheck.codable : checks,
            problems: problems)
        return PropertyDescription(keyPath: keyPath, kind: .attribute(attribute))
    }

    /// Describes a to-one relationship that names its inverse.
    ///
    /// Name the inverse on one side only.
    public static func toOne<Root: ManagedEntity, Destination: ManagedEntity, Inverse>(
        _ keyPath:
            @autoclosure @escaping @Sendable () -> any KeyPath<Root, Destination?> & Sendable,
        _ name: String,
        _ options: RelationshipOption..., deleteRule: DeleteRule = .nullify,
        inverse: any KeyPath<Destination, Inverse> & Sendable
    ) -> PropertyDescription {
        relationship(
            PropertyKeyPath(keyPath), name, to: Destination.self, options, deleteRule: deleteRule,
            inverse: inverse, isToMany: false)
    }

    /// Describes a to-one relationship that names no inverse.
    ///
    /// The relationship has no inverse unless the other side names it as the inverse.
    public static func toOne<Root: ManagedEntity, Destination: ManagedEntity>(
        _ keyPath:
            @autoclosure @escaping @Sendable () -> any KeyPath<Root, Destination?> & Sendable,
        _ name: String,
        _ options: RelationshipOption..., deleteRule: DeleteRule = .nullify
    ) -> PropertyDescription {
        relationship(
            PropertyKeyPath(keyPath), name, to: Destination.self, options, deleteRule: deleteRule,
            inverse: nil,
            isToMany: false)
    }

    /// Describes a to-many relationship that names its inverse.
    ///
    /// Name the inverse on one side only.
    public static func toMany<
        Root: ManagedEntity, Many: ToManyRelationship, Destination: ManagedEntity, Inverse
    >(
        _ keyPath: @autoclosure @escaping @Sendable () -> any KeyPath<Root, Many> & Sendable,
        _ name: String,
        to destination: Destination.Type, _ options: RelationshipOption...,
        deleteRule: DeleteRule = .nullify,
        inverse: any KeyPath<Destination, Inverse> & Sendable
    ) -> PropertyDescription {
        relationship(
            PropertyKeyPath(keyPath), name, to: destination, options, deleteRule: deleteRule,
            inverse: inverse,
            isToMany: true, isOrdered: Many.isOrdered)
    }

    /// Describes a to-many relationship that names no inverse.
    ///
    /// The relationship has no inverse unless the other side names it as the inverse.
    public static func toMany<
        Root: ManagedEntity, Many: ToManyRelationship, Destination: ManagedEntity
    >(
        _ keyPath: @autoclosure @escaping @Sendable () -> any KeyPath<Root, Many> & Sendable,
        _ name: String,
        to destination: Destination.Type, _ options: RelationshipOption...,
        deleteRule: DeleteRule = .nullify
    ) -> PropertyDescription {
        relationship(
            PropertyKeyPath(keyPath), name, to: destination, options, deleteRule: deleteRule,
            inverse: nil,
            isToMany: true, isOrdered: Many.isOrdered)
    }

    private static func relationship(
        _ keyPath: PropertyKeyPath, _ name: String,
        to destination: any ManagedEntity.Type,
        _ options: [RelationshipOption], deleteRule: DeleteRule,
        inverse: (any AnyKeyPath & Sendable)?, isToMany: Bool, isOrdered: Bool = false
    ) -> PropertyDescription {
        var relationship = RelationshipDescription(
            name: name, isToMany: isToMany, isOrdered: isOrdered, deleteRule: deleteRule,
            destinationType: destination, inverseKeyPath: inverse)
        for option in options { option.apply(&relationship) }
        return PropertyDescription(keyPath: keyPath, kind: .relationship(relationship))
    }
}
