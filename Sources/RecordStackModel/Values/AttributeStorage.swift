/// What generated code describes, reads and writes an attribute with.
///
/// A type that cannot be stored fits here too: the attribute's setter is the one error then, and none of these adds another.
/// An entity by hand uses the type itself: `String.read(row, at: 0)`.
///
/// ```swift
/// required init(row: borrowing RowCells, seed: ObjectSeed) {
///     _name = AttributeStorage<String>.read(row, at: 0)
///     super.init(row: row, seed: seed)
/// }
/// ```
public enum AttributeStorage<Value> {}

extension AttributeStorage where Value: AttributeValue {
    /// The attribute, as ``PropertyDescription/attribute(_:_:_:)`` describes it.
    public static func property<Root: ManagedEntity>(
        _ keyPath: @autoclosure @escaping @Sendable () -> any KeyPath<Root, Value> & Sendable,
        _ name: String, _ options: AttributeOption...
    ) -> PropertyDescription {
        .attribute(PropertyKeyPath(keyPath), Value.self, name, options, makeDefault: nil)
    }

    /// The attribute, as ``PropertyDescription/attribute(_:_:_:default:)`` describes it.
    public static func property<Root: ManagedEntity>(
        _ keyPath: @autoclosure @escaping @Sendable () -> any KeyPath<Root, Value> & Sendable,
        _ name: String, _ options: AttributeOption...,
        default defaultValue: @autoclosure @escaping @Sendable () -> Value
    ) -> PropertyDescription {
        .attribute(
            PropertyKeyPath(keyPath), Value.self, name, options,
            makeDefault: { defaultValue().storedValue })
    }

    /// What reads as the value where there is none.
    @inlinable
    public static var placeholder: Value { Value.placeholder }

    /// Reads the value out of a row.
    @inlinable
    public static func read(_ row: borrowing RowCells, at slot: Int) -> Value {
        Value.read(row, at: slot)
    }

    /// Writes a value into a row.
    @inlinable
    public static func write(_ value: Value, to writer: inout CellWriter) {
        value.write(to: &writer)
    }

    /// A value as the store keeps it.
    @inlinable
    public static func storedValue(of value: Value) -> StoredValue { value.storedValue }
}

// Nobody calls these: the setter that the macro writes beside them does not compile for such a type.
extension AttributeStorage {
    /// There for the message that the setter gives.
    public static func property<Root: ManagedEntity>(
        _ keyPath: @autoclosure @escaping @Sendable () -> any KeyPath<Root, Value> & Sendable,
        _ name: String, _ options: AttributeOption...
    ) -> PropertyDescription { unstorable() }

    /// There for the message that the setter gives.
    public static func property<Root: ManagedEntity>(
        _ keyPath: @autoclosure @escaping @Sendable () -> any KeyPath<Root, Value> & Sendable,
        _ name: String, _ options: AttributeOption...,
        default defaultValue: @autoclosure @escaping @Sendable () -> Value
    ) -> PropertyDescription { unstorable() }

    /// There for the message that the setter gives.
    public static var placeholder: Value { unstorable() }

    /// There for the message that the setter gives.
    public static func read(_ row: borrowing RowCells, at slot: Int) -> Value { unstorable() }

    /// There for the message that the setter gives.
    public static func write(_ value: Value, to writer: inout CellWriter) { unstorable() }

    /// There for the message that the setter gives.
    public static func storedValue(of value: Value) -> StoredValue { unstorable() }

    private static func unstorable() -> Never {
        // Generated code alone calls it, and that compiles for no type that gets here.
        fatalError("\(Value.self) cannot be stored in an attribute.")
    }
}
