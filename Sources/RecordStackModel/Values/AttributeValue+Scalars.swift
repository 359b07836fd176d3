extension Bool: AttributeValue {
    /// `Bool`, stored as an integer.
    @inlinable public static var attributeType: AttributeType { .bool }
    /// The value false.
    @inlinable public static var placeholder: Bool { false }
    /// The integer 0 or 1.
    @inlinable public var storedValue: StoredValue { .integer(self ? 1 : 0) }

    /// Creates true from 1 and false from 0, or returns nil for any other value.
    @inlinable
    public init?(storedValue: StoredValue) {
        switch storedValue {
        case .integer(0): self = false
        case .integer(1): self = true
        default: return nil
        }
    }

    /// Reads a 0 or 1 from a row.
    ///
    /// For any other number, the fetch throws ``RecordStackError/Code/corrupt``.
    @inlinable
    public static func read(_ row: borrowing RowCells, at slot: Int) -> Bool {
        let value = row.integer(at: slot)
        if value != 0 && value != 1 { row.reportUnexpectedValue(at: slot) }
        return value == 1
    }

    /// Appends 0 or 1 to a row.
    @inlinable
    public func write(to writer: inout CellWriter) { writer.append(integer: self ? 1 : 0) }
}

extension Int: AttributeValue {
    /// `Int64`, which has the same values as `Int`.
    @inlinable public static var attributeType: AttributeType { .integer }
    /// The number 0.
    @inlinable public static var placeholder: Int { 0 }
    /// The integer.
    @inlinable public var storedValue: StoredValue { .integer(Int64(self)) }

    /// Creates an integer, or returns nil for any other value.
    @inlinable
    public init?(storedValue: StoredValue) {
        guard case .integer(let value) = storedValue else { return nil }
        self = Int(value)
    }

    /// Reads an integer from a row.
    @inlinable
    public static func read(_ row: borrowing RowCells, at slot: Int) -> Int {
        Int(row.integer(at: slot))
    }

    /// Appends the integer to a row.
    @inlinable
    public func write(to writer: inout CellWriter) { writer.append(integer: Int64(self)) }
}

extension Int64: AttributeValue {
    /// `Int64`.
    @inlinable public static var attributeType: AttributeType { .integer }
    /// The number 0.
    @inlinable public static var placeholder: Int64 { 0 }
    /// The integer.
    @inlinable public var storedValue: StoredValue { .integer(self) }

    /// Creates an integer, or returns nil for any other value.
    @inlinable
    public init?(storedValue: StoredValue) {
        guard case .integer(let value) = storedValue else { return nil }
        self = value
    }

    /// Reads an integer from a row.
    @inlinable
    public static func read(_ row: borrowing RowCells, at slot: Int) -> Int64 {
        row.integer(at: slot)
    }

    /// Appends the integer to a row.
    @inlinable
    public func write(to writer: inout CellWriter) { writer.append(integer: self) }
}

extension Double: AttributeValue {
    /// `Double`.
    @inlinable public static var attributeType: AttributeType { .double }
    /// The number 0.
    @inlinable public static var placeholder: Double { 0 }
    /// The number, with NaN stored as null and −0.0 as 0.0.
    @inlinable public var storedValue: StoredValue { .storedReal(self) }

    /// Creates a number from a stored number, or returns nil for any other value.
    @inlinable
    public init?(storedValue: StoredValue) {
        switch storedValue {
        case .real(let value): self = value
        case .integer(let value): self = Double(value)
        default: return nil
        }
    }

    /// Reads a floating-point number from a row.
    @inlinable
    public static func read(_ row: borrowing RowCells, at slot: Int) -> Double {
        row.real(at: slot)
    }

    /// Appends the number to a row, or null for NaN.
    @inlinable
    public func write(to writer: inout CellWriter) { writer.append(real: self) }
}

extension String: AttributeValue {
    /// `String`.
    @inlinable public static var attributeType: AttributeType { .string }
    /// The empty string.
    @inlinable public static var placeholder: String { "" }
    /// The string as text, which is compared by its bytes.
    @inlinable public var storedValue: StoredValue { .text(self) }

    /// Creates a string from text, or returns nil for any other value.
    @inlinable
    public init?(storedValue: StoredValue) {
        guard case .text(let value) = storedValue else { return nil }
        self = value
    }

    /// Reads text from a row.
    @inlinable
    public static func read(_ row: borrowing RowCells, at slot: Int) -> String {
        row.text(at: slot)
    }

    /// Appends the text to a row.
    @inlinable
    public func write(to writer: inout CellWriter) { writer.append(text: self) }
}
