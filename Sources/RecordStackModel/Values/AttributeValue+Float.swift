extension Float: AttributeValue {
    /// `Float`, stored as a 64-bit floating-point number, which holds every `Float` exactly.
    @inlinable public static var attributeType: AttributeType { .float }
    /// The number 0.
    @inlinable public static var placeholder: Float { 0 }
    /// The number, with NaN stored as null and −0.0 as 0.0.
    @inlinable public var storedValue: StoredValue { .storedReal(Double(self)) }

    /// Creates the `Float` that is nearest to a number.
    ///
    /// The result is nil for a number that is too large for a `Float`, and for any other value.
    @inlinable
    public init?(storedValue: StoredValue) {
        guard let value = Double(storedValue: storedValue) else { return nil }
        self.init(value)
        if isInfinite && value.isFinite { return nil }
    }

    /// Reads a floating-point number from a row.
    ///
    /// If the number is too large for a `Float`, the fetch throws
    /// ``RecordStackError/Code/corrupt``.
    @inlinable
    public static func read(_ row: borrowing RowCells, at slot: Int) -> Float {
        let real = row.real(at: slot)
        let value = Float(real)
        if value.isInfinite && real.isFinite { row.reportUnexpectedValue(at: slot) }
        return value
    }

    /// Appends the number to a row, or null for NaN.
    @inlinable
    public func write(to writer: inout CellWriter) { writer.append(real: Double(self)) }
}
