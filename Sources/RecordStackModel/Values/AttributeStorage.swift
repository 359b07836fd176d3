/// What generated code reads and writes an attribute with.
///
/// A type that cannot be stored fits here too: it is one error then, which the attribute's setter gives, and not one
/// more for each of these.
///
/// ```swift
/// required init(row: borrowing RowCells, seed: ObjectSeed) {
///     _name = AttributeStorage<String>.read(row, at: 0)
///     super.init(row: row, seed: seed)
/// }
/// ```
public enum AttributeStorage<Value> {}

extension AttributeStorage where Value: AttributeValue {
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

// Never called: what would call these does not compile, because there is no setter for the type.
extension AttributeStorage {
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
