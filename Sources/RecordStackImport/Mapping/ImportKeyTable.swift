import RecordStackPlatform

/// The keys of a node and the recipients of their values, in plain memory.
///
/// Reading a row therefore changes no reference counts. A table belongs to one node, which owns the
/// entries and frees the memory.
struct ImportKeyTable {
    struct Entry {
        fileprivate let bytes: UnsafeMutablePointer<UInt8>
        fileprivate let count: Int
        /// The index of the key that followed in the last row. Most rows have the same key order.
        fileprivate var next = 0
        let number: Int
        /// The slot of the only attribute for a value that is not an object or array.
        ///
        /// Negative if several properties need the value, or if a property needs more than a plain
        /// value.
        let slot: Int
        let priority: Int
        let taking: PlainValue
        // `unowned(unsafe)`: the node that owns the table keeps this node alive.
        unowned(unsafe) let node: ImportNode
    }

    /// The entries, and one more whose `next` is the first key of a row.
    private let entries: UnsafeMutablePointer<Entry>?
    private let count: Int

    init() {
        entries = nil
        count = 0
    }

    /// Creates the table of a node's keys.
    ///
    /// - Parameter plain: returns the attribute that takes a node's value, if no other property
    ///   needs the value and the attribute needs only a plain value; otherwise nil.
    init(
        _ keys: [(bytes: [UInt8], node: ImportNode)],
        _ plain: (ImportNode) -> (slot: Int, priority: Int, conversion: ValueConversion)?
    ) {
        count = keys.count
        guard let last = keys.last else {
            entries = nil
            return
        }
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: count + 1)
        for (index, key) in keys.enumerated() {
            (entries + index).initialize(to: Entry(key.bytes, key.node, plain(key.node)))
        }
        (entries + count).initialize(to: Entry([], last.node, nil))
        self.entries = entries
    }

    func deallocate() {
        guard let entries else { return }
        for index in 0...count { entries[index].bytes.deallocate() }
        entries.deallocate()
    }

    /// A search through the keys of one object, in their order.
    struct Search {
        private let entries: UnsafeMutablePointer<Entry>?
        private let count: Int
        private var last: Int

        init(_ table: ImportKeyTable) {
            (entries, count, last) = (table.entries, table.count, table.count)
        }

        /// Returns the entry of the next key; nil for a key that no property has.
        @inline(__always)
        mutating func find(_ key: UnsafeRawBufferPointer) -> UnsafeMutablePointer<Entry>? {
            guard let entries else { return nil }
            let expected = entries[last].next
            if expected < count && entries[expected].isSame(key) {
                last = expected
                return entries + expected
            }
            return look(for: key, entries)
        }

        @inline(never)
        private mutating func look(
            for key: UnsafeRawBufferPointer, _ entries: UnsafeMutablePointer<Entry>
        ) -> UnsafeMutablePointer<Entry>? {
            for index in 0..<count where entries[index].isSame(key) {
                entries[last].next = index
                last = index
                return entries + index
            }
            return nil
        }
    }
}

extension ImportKeyTable.Entry {
    fileprivate init(
        _ bytes: [UInt8], _ node: ImportNode,
        _ plain: (slot: Int, priority: Int, conversion: ValueConversion)?
    ) {
        self.bytes = .allocate(capacity: max(bytes.count, 1))
        self.bytes.initialize(from: bytes, count: bytes.count)
        count = bytes.count
        number = node.number
        slot = plain?.slot ?? -1
        priority = plain?.priority ?? 0
        taking = plain.map { PlainValue($0.conversion) } ?? .converted
        self.node = node
    }

    @inline(__always)
    fileprivate func isSame(_ key: UnsafeRawBufferPointer) -> Bool {
        // A step of a key path has at least one byte, so both buffers have addresses.
        count == key.count && Bytes.areEqual(bytes, key.baseAddress!, count: count)
    }
}
