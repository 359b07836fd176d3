import RecordStackPlatform

/// The keys of a node, and what takes their values: plain memory, so that reading a row counts no references.
///
/// A table is of one node, which keeps what is in it and gives the memory back.
struct ImportKeyTable {
    struct Entry {
        fileprivate let bytes: UnsafeMutablePointer<UInt8>
        fileprivate let count: Int
        /// The index of the key that followed in the row before: most rows have their keys in one order.
        fileprivate var next = 0
        let number: Int
        /// The slot of the attribute that alone takes the value, if it is no object and no array; less than 0 where
        /// there is more to know, of the node.
        let slot: Int
        let priority: Int
        let taking: PlainValue
        // The node that the table is of keeps it.
        unowned(unsafe) let node: ImportNode
    }

    /// Behind the last one there is one more, whose next key is the first of a row.
    private let entries: UnsafeMutablePointer<Entry>?
    private let count: Int

    init() {
        entries = nil
        count = 0
    }

    /// - Parameter plain: the attribute that alone takes a node's value as it is; nil where there is more to know.
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

    /// Goes through the keys of an object.
    struct Search {
        private let entries: UnsafeMutablePointer<Entry>?
        private let count: Int
        private var last: Int

        init(_ table: ImportKeyTable) {
            (entries, count, last) = (table.entries, table.count, table.count)
        }

        /// The entry of the key that comes next; nil for one that nobody wants.
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
        // A step of a key path has a byte at least, and so both have addresses.
        count == key.count && Bytes.areEqual(bytes, key.baseAddress!, count: count)
    }
}
