/// Describes, reads and writes an attribute in generated code.
///
/// If an attribute's type cannot be stored, the compiler reports only one error, at the attribute's
/// setter. Code that uses `AttributeStorage` causes no further errors. In an entity written by
/// hand, use the attribute's type itself: `String.read(row, at: 0)`.
///
/// ```swift
/// required init(row: borrowing RowCells, seed: ObjectSeed) {
///     _name = AttributeStorage<String>.read(row, at: 0)
///     super.init(row: row, seed: seed)
/// }
/// ```
public enum AttributeStorage<Value> {}

extension AttributeStorage where Value: AttributeValue {
    /// Describes the attribute as ``PropertyDescription/attribute(_:_:_:)`` does.
    public static func property<Root: ManagedEntity>(
        _ keyPath: @autoclosure @escaping @Sendable () -> any KeyPath<Root, Value> & Sendable,
        _ name: String, _ options: AttributeOption...
    ) -> PropertyDescription {
        .attribute(PropertyKeyPath(keyPath), Value.self, name, options, makeDefault: nil)
    }

    /// Describes the attribute as ``PropertyDescription/attribute(_:_:_:default:)`` does.
    public static func property<Root: ManagedEntity>(
        _ keyPath: @autoclosure @escaping @Sendable () -> any KeyPath<Root, Value> & Sendable,
        _ name: String, _ options: AttributeOption...,
        default defaultValue: @autoclosure @escaping @Sendable () -> Value
    ) -> PropertyDescription {
        .attribute(
            PropertyKeyPath(keyPath), Value.self, name, options,
            makeDefault: { defaultValue().storedValue })
    }

    /// The value that is read if the attribute has no value.
    @inlinable
    public static var placeholder: Value { Value.placeholder }

    /// Reads the value from a row.
    @inlinable
    public static func read(_ row: borrowing RowCells, at slot: Int) -> Value {
        Value.read(row, at: slot)
    }

    /// Appends a value to a row.
    @inlinable
    public static func write(_ value: Value, to writer: inout CellWriter) {
        value.write(to: &writer)
    }

    /// Returns a value in its stored form.
    @inlinable
    public static func storedValue(of value: Value) -> StoredValue { value.storedValue }
}

// No program calls these members: the generated setter beside them does not compile for
// such a type.
extension AttributeStorage {
    /// Exists so that, for a type that cannot be stored, the compiler reports only the error of the
    /// generated setter.
    public static func property<Root: ManagedEntity>(
        _ keyPath: @autoclosure @escaping @Sendable () -> any KeyPath<Root, Value> & Sendable,
        _ name: String, _ options: AttributeOption...
    ) -> PropertyDescription { unstorable() }

    /// Exists so that, for a type that cannot be stored, the compiler reports only the error of the
    /// generated setter.
    public static func property<Root: ManagedEntity>(
        _ keyPath: @autoclosure @escaping @Sendable () -> any KeyPath<Root, Value> & Sendable,
        _ name: String, _ options: AttributeOption...,
        default defaultValue: @autoclosure @escaping @Sendable () -> Value
    ) -> PropertyDescription { unstorable() }

    /// Exists so that, for a type that cannot be stored, the compiler reports only the error of the
    /// generated setter.
    public static var placeholder: Value { unstorable() }

    /// Exists so that, for a type that cannot be stored, the compiler reports only the error of the
    /// generated setter.
    public static func read(_ row: borrowing RowCells, at slot: Int) -> Value { unstorable() }

    /// Exists so that, for a type that cannot be stored, the compiler reports only the error of the
    /// generated setter.
    public static func write(_ value: Value, to writer: inout CellWriter) { unstorable() }

    /// Exists so that, for a type that cannot be stored, the compiler reports only the error of the
    /// generated setter.
    public static func storedValue(of value: Value) -> StoredValue { unstorable() }

    private static func unstorable() -> Never {
        // Only generated code calls it, and that code does not compile for a type that gets here.
        fatalError("\(Value.self) cannot be stored in an attribute.")
    }
}
