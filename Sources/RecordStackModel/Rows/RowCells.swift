/// A row as generated code reads it: one cell for each slot of the entity, in slot order.
///
/// A row is lent for the duration of one call and cannot be kept. The `@Entity` macro generates the
/// code that reads it. An entity written by hand reads each attribute in the same way:
///
/// ```swift
/// required init(row: borrowing RowCells, seed: ObjectSeed) {
///     _email = String.read(row, at: 0)
///     _age = Int?.read(row, at: 1)
///     super.init(row: row, seed: seed)
/// }
/// ```
///
/// Reading never throws. A cell of an unexpected kind reads as zero or empty and is reported, once
/// for the row. The fetch that read the row throws a ``RecordStackError/Code/corrupt`` error,
/// which names the property.
public struct RowCells: ~Copyable {
    @usableFromInline let base: UnsafeMutablePointer<Cell>
    /// The number of slots in the row.
    public let count: Int

    /// Creates a row whose report of an unexpected value goes to the cell before `base`.
    @inlinable
    package init(base: UnsafeMutablePointer<Cell>, count: Int) {
        self.base = base
        self.count = count
    }

    @inlinable @inline(__always)
    package func cell(at slot: Int) -> Cell {
        // An entity written by hand may name a slot outside of the row. Reading it would
        // overrun the row's memory.
        precondition(slot >= 0 && slot < count, "slot outside of the row")
        return base[slot]
    }

    /// Returns true if the slot holds no value.
    /// - Precondition: `slot` is in `0..<count`.
    @inlinable @inline(__always)
    public func isNull(at slot: Int) -> Bool { cell(at: slot).tag == .null }

    /// Returns the integer in a slot.
    /// - Precondition: `slot` is in `0..<count`.
    @inlinable @inline(__always)
    public func integer(at slot: Int) -> Int64 {
        let cell = cell(at: slot)
        return cell.tag == .integer ? cell.integer : unexpectedInteger(at: slot)
    }

    /// Returns the real in a slot; an integer reads as the nearest real.
    /// - Precondition: `slot` is in `0..<count`.
    @inlinable @inline(__always)
    public func real(at slot: Int) -> Double {
        let cell = cell(at: slot)
        return cell.tag == .real ? cell.real : unexpectedReal(at: slot)
    }

    /// Returns the text in a slot.
    ///
    /// Bytes that are not UTF-8 count as an unexpected value.
    /// - Precondition: `slot` is in `0..<count`.
    @inlinable
    public func text(at slot: Int) -> String {
        let cell = cell(at: slot)
        guard cell.tag == .text, let text = StoredText.decode(cell.bytes) else {
            return unexpectedText(at: slot)
        }
        return text
    }

    /// Lends the bytes in a slot to a closure.
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

    /// Returns the key of a to-one relationship; 0 if it refers to no object.
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

    /// Returns a copy of the value in a slot.
    /// - Precondition: `slot` is in `0..<count`.
    public func storedValue(at slot: Int) -> StoredValue { cell(at: slot).storedValue }
}

extension RowCells {
    /// Reports that the attribute cannot have the value in a slot.
    ///
    /// The fetch then throws instead of returning the placeholder that was read.
    /// - Precondition: `slot` is in `0..<count`.
    @inline(never)
    public func reportUnexpectedValue(at slot: Int) {
        _ = cell(at: slot)
        if (base - 1).pointee.tag == .null { base[-1] = .integer(Int64(slot)) }
    }

    /// Returns the first slot that was reported, if any, and clears the report.
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
