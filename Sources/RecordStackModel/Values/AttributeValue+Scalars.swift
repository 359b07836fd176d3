extension Bool: AttributeValue {
    /// `Bool`, stored as an integer.
    @inlinable public static var attributeType: AttributeType { .bool }
    /// The value false.
    @inlinable public static var placeholder: Bool { false }
    /// The integer 0 or 1.
    @inlinable public var storedValue: StoredValue { .integer(self ? 1 : 0) }

    /// Creates true from 1 and false from 0; nil for any other value.
    @inlinable
    public init?(storedValue: StoredValue) {
        switch storedValue {
        case .integer(0): self = false
        case .integer(1): self = true
        default: return nil
        }
    }

    /// Reads an integer cell of 0 or 1.
    ///
    /// Any other number makes the row corrupt.
    @inlinable
    public static func read(_ row: borrowing RowCells, at slot: Int) -> Bool {
        let value = row.integer(at: slot)
        if value != 0 && value != 1 { row.reportUnexpectedValue(at: slot) }
        return value == 1
    }

    /// Writes 0 or 1.
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

    /// Creates the integer; nil for any other value.
    @inlinable
    public init?(storedValue: StoredValue) {
        guard case .integer(let value) = storedValue else { return nil }
        self = Int(value)
    }

    /// Reads an integer cell.
    @inlinable
    public static func read(_ row: borrowing RowCells, at slot: Int) -> Int {
        Int(row.integer(at: slot))
    }

    /// Writes an integer cell.
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

    /// Creates the integer; nil for any other value.
    @inlinable
    public init?(storedValue: StoredValue) {
        guard case .integer(let value) = storedValue else { return nil }
        self = value
    }

    /// Reads an integer cell.
    @inlinable
    public static func read(_ row: borrowing RowCells, at slot: Int) -> Int64 {
        row.integer(at: slot)
    }

    /// Writes an integer cell.
    @inlinable
    public func write(to writer: inout CellWriter) { writer.append(integer: self) }
}

extension Double: AttributeValue {
    /// `Double`.
    @inlinable public static var attributeType: AttributeType { .double }
    /// The number 0.
    @inlinable public static var placeholder: Double { 0 }
    /// The number; null for NaN, which SQLite cannot store, and 0.0 for −0.0.
    @inlinable public var storedValue: StoredValue { .storedReal(self) }

    /// Creates the real, or the real nearest to an integer; nil for any other value.
    @inlinable
    public init?(storedValue: StoredValue) {
        switch storedValue {
        case .real(let value): self = value
        case .integer(let value): self = Double(value)
        default: return nil
        }
    }

    /// Reads a real cell.
    @inlinable
    public static func read(_ row: borrowing RowCells, at slot: Int) -> Double {
        row.real(at: slot)
    }

    /// Writes a real cell, or null for NaN.
    @inlinable
    public func write(to writer: inout CellWriter) { writer.append(real: self) }
}

extension String: AttributeValue {
    /// `String`.
    @inlinable public static var attributeType: AttributeType { .string }
    /// The empty text.
    @inlinable public static var placeholder: String { "" }
    /// The text, which is compared by its bytes in this form.
    @inlinable public var storedValue: StoredValue { .text(self) }

    /// Creates the text; nil for any other value.
    @inlinable
    public init?(storedValue: StoredValue) {
        guard case .text(let value) = storedValue else { return nil }
        self = value
    }

    /// Reads a text cell.
    @inlinable
    public static func read(_ row: borrowing RowCells, at slot: Int) -> String {
        row.text(at: slot)
    }

    /// Writes a text cell.
    @inlinable
    public func write(to writer: inout CellWriter) { writer.append(text: self) }
}
