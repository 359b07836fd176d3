/// Integers of every width are stored as SQLite integers, which range up to `Int64.max`.
///
/// A `UInt64` above that is stored as its eight bytes, the highest byte first. SQLite sorts bytes
/// after all numbers, so such values are in the right order, too.
extension AttributeValue where Self: FixedWidthInteger {
    /// The number 0.
    @inlinable public static var placeholder: Self { 0 }

    /// The integer, or its eight bytes if it is greater than `Int64.max`.
    @inlinable public var storedValue: StoredValue {
        if let small = Int64(exactly: self) { return .integer(small) }
        return .blob(largeBytes)
    }

    /// Creates an integer, or returns nil if the type cannot hold the value.
    @inlinable
    public init?(storedValue: StoredValue) {
        switch storedValue {
        case .integer(let value): self.init(exactly: value)
        case .blob(let bytes): self.init(largeBytes: bytes)
        default: return nil
        }
    }

    /// Appends the integer to a row, or its eight bytes if it is greater than `Int64.max`.
    @inlinable
    public func write(to writer: inout CellWriter) {
        if let small = Int64(exactly: self) {
            writer.append(integer: small)
        } else {
            writer.append(storedValue)
        }
    }

    @usableFromInline
    var largeBytes: [UInt8] {
        withUnsafeBytes(of: UInt64(truncatingIfNeeded: self).bigEndian) { [UInt8]($0) }
    }

    @usableFromInline
    init?(largeBytes bytes: [UInt8]) {
        guard bytes.count == 8 else { return nil }
        let value = bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        // An integer up to Int64.max is never stored as bytes.
        guard value > UInt64(Int64.max) else { return nil }
        self.init(exactly: value)
    }
}

extension Int8: AttributeValue {
    /// `Int8`, stored as an integer.
    public static var attributeType: AttributeType { .integer(named: "Int8") }
}

extension Int16: AttributeValue {
    /// `Int16`, stored as an integer.
    public static var attributeType: AttributeType { .integer(named: "Int16") }
}

extension Int32: AttributeValue {
    /// `Int32`, stored as an integer.
    public static var attributeType: AttributeType { .integer(named: "Int32") }
}

extension UInt8: AttributeValue {
    /// `UInt8`, stored as an integer.
    public static var attributeType: AttributeType { .integer(named: "UInt8") }
}

extension UInt16: AttributeValue {
    /// `UInt16`, stored as an integer.
    public static var attributeType: AttributeType { .integer(named: "UInt16") }
}

extension UInt32: AttributeValue {
    /// `UInt32`, stored as an integer.
    public static var attributeType: AttributeType { .integer(named: "UInt32") }
}

extension UInt64: AttributeValue {
    /// `UInt64`, stored as an integer, or as eight bytes if the value is greater than `Int64.max`.
    public static var attributeType: AttributeType { .unsigned }
}

extension UInt: AttributeValue {
    /// The same type as for `UInt64`.
    public static var attributeType: AttributeType { .unsigned }
}
