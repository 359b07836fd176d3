/// A row as generated code reads it: one cell for each slot of the entity, in slot order.
///
/// A row is lent for the length of one call and cannot be kept. The `@Entity` macro writes the
/// code that reads it; an entity written by hand reads each attribute in the same way:
///
/// ```swift
/// required init(row: borrowing RowCells, seed: ObjectSeed) {
///     _email = String.read(row, at: 0)
///     _age = Int?.read(row, at: 1)
///     super.init(row: row, seed: seed)
/// }
/// ```
///
/// Reading never throws. A cell of another kind than the one asked for reads as zero or empty and
/// is reported once for the row: the fetch that met it throws a
/// ``RecordStackError/Code/corrupt`` error which names the property.
public struct RowCells: ~Copyable {
    @usableFromInline let base: UnsafeMutablePointer<Cell>
    /// How many slots the row has.
    public let count: Int

    /// The cell before the first one takes the report of an unexpected value.
    @inlinable
    package init(base: UnsafeMutablePointer<Cell>, count: Int) {
        self.base = base
        self.count = count
    }

    @inlinable @inline(__always)
    package func cell(at slot: Int) -> Cell {
        // A slot outside the row is a mistake in an entity written by hand; reading on would
        // leave the row's memory.
        precondition(slot >= 0 && slot < count, "slot outside of the row")
        return base[slot]
    }

    /// Whether the slot holds no value.
    /// - Precondition: `slot` is in `0..<count`.
    @inlinable @inline(__always)
    public func isNull(at slot: Int) -> Bool { cell(at: slot).tag == .null }

    /// The integer in a slot.
    /// - Precondition: `slot` is in `0..<count`.
    @inlinable @inline(__always)
    public func integer(at slot: Int) -> Int64 {
        let cell = cell(at: slot)
        return cell.tag == .integer ? cell.integer : unexpectedInteger(at: slot)
    }

    /// The real in a slot; an integer reads as the nearest real.
    /// - Precondition: `slot` is in `0..<count`.
    @inlinable @inline(__always)
    public func real(at slot: Int) -> Double {
        let cell = cell(at: slot)
        return cell.tag == .real ? cell.real : unexpectedReal(at: slot)
    }

    /// The text in a slot. Bytes that are not UTF-8 are no text.
    /// - Precondition: `slot` is in `0..<count`.
    @inlinable
    public func text(at slot: Int) -> String {
        let cell = cell(at: slot)
        guard cell.tag == .text, let text = StoredText.decode(cell.bytes) else {
            return unexpectedText(at: slot)
        }
        return text
    }

    /// Lends the bytes in a slot.
    /// - Precondition: `slot` is in `0..<count`.
    @inlinable
    public func withBytes<Result>(
        at slot: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        let cell = cell(at: slot)
        if cell.tag != .blob { reportUnexpectedValue(at: slot) }
        return try body(
            cell.tag == .blob ? cell.bytes : UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// The key of a to-one relationship, 0 for none.
    /// - Precondition: `slot` is in `0..<count`.
    @inlinable
    public func key(at slot: Int) -> Int64 {
        let cell = cell(at: slot)
        switch cell.tag {
        case .integer: return cell.integer
        case .null: return 0
        default: return unexpectedInteger(at: slot)
        }
    }

    /// The value in a slot, copied.
    /// - Precondition: `slot` is in `0..<count`.
    public func storedValue(at slot: Int) -> StoredValue { cell(at: slot).storedValue }
}

extension RowCells {
    /// Says that the value in a slot cannot be one of the attribute's values, so that the fetch
    /// throws instead of returning the placeholder that was read.
    /// - Precondition: `slot` is in `0..<count`.
    @inline(never)
    public func reportUnexpectedValue(at slot: Int) {
        _ = cell(at: slot)
        if (base - 1).pointee.tag == .null { base[-1] = .integer(Int64(slot)) }
    }

    /// The first slot that was reported, if any; asking forgets it.
    @inlinable
    package func takeUnexpectedSlot() -> Int? {
        guard base[-1].tag == .integer else { return nil }
        let slot = Int(base[-1].integer)
        base[-1] = .null
        return slot
    }

    @inline(never) @usableFromInline
    func unexpectedInteger(at slot: Int) -> Int64 {
        let cell = cell(at: slot)
        if cell.tag == .real, let exact = Int64(exactly: cell.real) { return exact }
        reportUnexpectedValue(at: slot)
        return 0
    }

    @inline(never) @usableFromInline
    func unexpectedReal(at slot: Int) -> Double {
        let cell = cell(at: slot)
        if cell.tag == .integer { return Double(cell.integer) }
        reportUnexpectedValue(at: slot)
        return 0
    }

    @inline(never) @usableFromInline
    func unexpectedText(at slot: Int) -> String {
        reportUnexpectedValue(at: slot)
        return ""
    }
}
