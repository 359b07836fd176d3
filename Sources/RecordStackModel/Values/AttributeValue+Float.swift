extension Float: AttributeValue {
    /// `Float`, stored as a real, which holds every `Float` exactly.
    @inlinable public static var attributeType: AttributeType { .float }
    /// The number 0.
    @inlinable public static var placeholder: Float { 0 }
    /// The number; null for NaN, which SQLite cannot store, and 0.0 for −0.0.
    @inlinable public var storedValue: StoredValue { .storedReal(Double(self)) }

    /// Creates the `Float` that is nearest to a number.
    ///
    /// Nil for a number that is too large for a `Float`, and for any other value.
    @inlinable
    public init?(storedValue: StoredValue) {
        guard let value = Double(storedValue: storedValue) else { return nil }
        self.init(value)
        if isInfinite && value.isFinite { return nil }
    }

    /// Reads a real cell.
    ///
    /// A number that is too large for a `Float` makes the row corrupt.
    @inlinable
    public static func read(_ row: borrowing RowCells, at slot: Int) -> Float {
        let real = row.real(at: slot)
        let value = Float(real)
        if value.isInfinite && real.isFinite { row.reportUnexpectedValue(at: slot) }
        return value
    }

    /// Writes a real cell, or null for NaN.
    @inlinable
    public func write(to writer: inout CellWriter) { writer.append(real: Double(self)) }
}
