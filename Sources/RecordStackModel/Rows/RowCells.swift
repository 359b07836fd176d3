/// A row of the store, from which generated code reads an object's values.
///
/// A row has one value for each slot, in the order of the slots. A slot is the index of an
/// attribute or to-one relationship among the entity's columns. The row exists only during the call
/// that receives it. An entity written by hand reads each attribute as the generated code does:
///
/// ```swift
/// required init(row: borrowing RowCells, seed: ObjectSeed) {
///     _email = String.read(row, at: 0)
///     _age = Int?.read(row, at: 1)
///     super.init(row: row, seed: seed)
/// }
/// ```
///
/// Reading never throws. If a slot holds a value of an unexpected kind, the read returns zero or an
/// empty value. The fetch that read the row then throws a ``RecordStackError/Code/corrupt`` error,
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

    /// Returns the number in a slot as a floating-point number.
    ///
    /// An integer is rounded to the nearest `Double`.
    /// - Precondition: `slot` is in `0..<count`.
    @inlinable @inline(__always)
    public func real(at slot: Int) -> Double {
        let cell = cell(at: slot)
        return cell.tag == .real ? cell.real : unexpectedReal(at: slot)
    }

    /// Returns the string in a slot.
    ///
    /// Bytes that are not UTF-8 are an unexpected value.
    /// - Precondition: `slot` is in `0..<count`.
    @inlinable
    public func text(at slot: Int) -> String {
        let cell = cell(at: slot)
        guard cell.tag == .text, let text = StoredText.decode(cell.bytes) else {
            return unexpectedText(at: slot)
        }
        return text
    }

    /// Calls a closure with the bytes in a slot.
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

    /// Returns the key of a to-one relationship, or 0 if it refers to no object.
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
    /// The fetch then throws an error, and does not return objects with placeholder values.
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
