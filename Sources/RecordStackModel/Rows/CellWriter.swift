/// A writer that appends an object's values to a row.
///
/// Append one value for each slot, in the order of the slots. A slot is the index of an attribute
/// or to-one relationship among the entity's columns. Code that the `@Entity` macro generates uses
/// the writer. An entity written by hand appends each attribute:
///
/// ```swift
/// override func write(to writer: inout CellWriter) {
///     super.write(to: &writer)
///     _email.write(to: &writer)
///     _age.write(to: &writer)
/// }
/// ```
public struct CellWriter: ~Copyable {
    @usableFromInline var next: UnsafeMutablePointer<Cell>
    @usableFromInline let end: UnsafeMutablePointer<Cell>
    /// The address of the next bytes.
    ///
    /// `freeEnd` is the end of the memory for them.
    @usableFromInline var free: UnsafeMutableRawPointer
    @usableFromInline var freeEnd: UnsafeMutableRawPointer
    @usableFromInline let arena: ByteArena

    package init(cells: UnsafeMutableBufferPointer<Cell>, arena: ByteArena) {
        // Callers pass a row in their own storage, so the buffer has an address.
        next = cells.baseAddress!
        end = next + cells.count
        self.arena = arena
        free = arena.free
        freeEnd = arena.freeEnd
    }

    /// The number of cells that are still to be written.
    package var remaining: Int { end - next }

    /// Returns the unused memory to the arena.
    package consuming func finish() {
        arena.free = free
        arena.freeEnd = freeEnd
    }

    @inlinable
    mutating func append(cell: Cell) {
        // An entity written by hand may append more values than it has slots. Writing them would
        // overrun the row's memory.
        precondition(next < end, "more values than the entity has slots")
        next.pointee = cell
        next += 1
    }

    /// Appends null.
    /// - Precondition: the row has fewer values than the entity has slots.
    @inlinable
    public mutating func appendNull() { append(cell: .null) }

    /// Appends an integer.
    /// - Precondition: the row has fewer values than the entity has slots.
    @inlinable
    public mutating func append(integer: Int64) { append(cell: .integer(integer)) }

    /// Appends the key of a to-one relationship, where 0 means that it refers to no object.
    /// - Precondition: the row has fewer values than the entity has slots.
    @inlinable
    public mutating func append(key: Int64) { append(cell: key == 0 ? .null : .integer(key)) }

    /// Appends a floating-point number, with NaN written as null and −0.0 as 0.0.
    /// - Precondition: the row has fewer values than the entity has slots.
    @inlinable
    public mutating func append(real: Double) { append(cell: .real(real)) }

    /// Appends a string, which may contain U+0000.
    /// - Precondition: the row has fewer values than the entity has slots.
    @inlinable
    public mutating func append(text: String) {
        let written: Void? = text.utf8.withContiguousStorageIfAvailable {
            append(UnsafeRawBufferPointer($0), tag: .text)
        }
        if written == nil { appendUncommon(text: text) }
    }

    /// Appends bytes.
    /// - Precondition: the row has fewer values than the entity has slots.
    @inlinable
    public mutating func append(bytes: UnsafeRawBufferPointer) { append(bytes, tag: .blob) }

    @inlinable
    mutating func append(_ bytes: UnsafeRawBufferPointer, tag: Cell.Tag) {
        if freeEnd - free < bytes.count { makeRoom(for: bytes.count) }
        if let address = bytes.baseAddress {
            free.copyMemory(from: address, byteCount: bytes.count)
        }
        append(
            cell: Cell(
                bits: UInt64(UInt(bitPattern: free)),
                length: Int32(truncatingIfNeeded: bytes.count),
                tag: tag))
        free += bytes.count
    }

    /// Appends a stored value.
    /// - Precondition: the row has fewer values than the entity has slots.
    public mutating func append(_ value: StoredValue) {
        switch value {
        case .null: append(cell: .null)
        case .integer(let value): append(cell: .integer(value))
        case .real(let value): append(cell: .real(value))
        case .text(let value): append(text: value)
        case .blob(let value): value.withUnsafeBytes { append($0, tag: .blob) }
        }
    }

    /// Appends a copy of another row's cell.
    package mutating func append(copying cell: Cell) {
        switch cell.tag {
        case .null, .integer, .real: append(cell: cell)
        case .text, .blob: append(cell.bytes, tag: cell.tag)
        }
    }

    @inline(never) @usableFromInline
    mutating func makeRoom(for count: Int) {
        // SQLite's own limit is 2^31 − 1 bytes for one value, so a length fits an Int32.
        precondition(count <= Int(Int32.max), "a value of 2 GiB or more cannot be stored")
        arena.addChunk(atLeast: count)
        free = arena.free
        freeEnd = arena.freeEnd
    }

    @inline(never) @usableFromInline
    mutating func appendUncommon(text: String) {
        Array(text.utf8).withUnsafeBytes { append($0, tag: .text) }
    }
}
