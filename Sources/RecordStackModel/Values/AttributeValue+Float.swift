extension Float: AttributeValue {
    /// `Float`, kept as a real, which holds every `Float` exactly.
    @inlinable public static var attributeType: AttributeType { .float }
    /// 0.
    @inlinable public static var placeholder: Float { 0 }
    /// The number; null for NaN, which SQLite cannot keep, and 0.0 for −0.0.
    @inlinable public var storedValue: StoredValue { .storedReal(Double(self)) }

    /// The `Float` nearest to a number, or nil for one that is too large for a `Float`, and for anything else.
    @inlinable
    public init?(storedValue: StoredValue) {
        guard let value = Double(storedValue: storedValue) else { return nil }
        self.init(value)
        if isInfinite && value.isFinite { return nil }
    }

    /// Reads a real cell; a number that is too large for a `Float` is a corrupt row.
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
