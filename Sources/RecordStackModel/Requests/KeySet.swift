/// A set of row keys that a request excludes from the store's results.
///
/// The context has newer values for these rows.
///
/// Copies share their storage until one of them changes.
/// Two sets are equal if they share their storage.
package struct KeySet: Sendable {
    private var storage = Storage()

    package init() {}

    package init(_ keys: some Sequence<Int64>) {
        for key in keys { insert(key) }
    }

    package var count: Int { storage.count }
    package var isEmpty: Bool { storage.count == 0 }

    package func contains(_ key: Int64) -> Bool { storage.contains(key) }

    /// Inserts a key, and ignores 0 and negative numbers, which are not row keys.
    package mutating func insert(_ key: Int64) {
        if key <= 0 || storage.contains(key) { return }
        own()
        storage.insert(key)
    }

    package mutating func remove(_ key: Int64) {
        if !storage.contains(key) { return }
        own()
        storage.remove(key)
    }

    /// The keys in ascending order.
    package var sorted: [Int64] { storage.keys.sorted() }

    /// The set's storage, as a pointer to bind to a statement.
    package var reference: Unmanaged<AnyObject> { Unmanaged.passUnretained(storage) }

    /// Returns true if the set that a reference points to contains a key.
    package static func isKey(_ key: Int64, in reference: Unmanaged<AnyObject>) -> Bool {
        // Safe: callers pass only what `reference` returned, and that is a `Storage`.
        reference._withUnsafeGuaranteedRef { unsafeDowncast($0, to: Storage.self).contains(key) }
    }

    private mutating func own() {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(copying: storage) }
    }

    /// A hash table with open addressing and linear probing, in which 0 marks a free entry.
    ///
    /// `@unchecked Sendable` is safe: only a set that is the sole owner writes to its storage, as
    /// `own()` ensures. Shared storage is therefore never changed.
    private final class Storage: @unchecked Sendable {
        // @exclusivity(unchecked): a set is written before it is shared, and only read afterwards.

        // Safe: no access calls code outside of this class, and shared storage is only read.
        //
        // Only this object owns the table, and it frees the table in `deinit`. Every index is
        // masked with the table's size minus one, and the size is a power of two.
        @exclusivity(unchecked) private var entries: UnsafeMutablePointer<Int64>
        @exclusivity(unchecked) private var mask: Int
        @exclusivity(unchecked) private(set) var count = 0

        init() {
            mask = 15
            entries = Self.makeEntries(16)
        }

        init(copying other: Storage) {
            mask = other.mask
            count = other.count
            entries = .allocate(capacity: mask + 1)
            entries.initialize(from: other.entries, count: mask + 1)
        }

        deinit { entries.deallocate() }

        private static func makeEntries(_ count: Int) -> UnsafeMutablePointer<Int64> {
            let entries = UnsafeMutablePointer<Int64>.allocate(capacity: count)
            entries.initialize(repeating: 0, count: count)
            return entries
        }

        var keys: [Int64] {
            UnsafeBufferPointer(start: entries, count: mask + 1).filter { $0 != 0 }
        }

        /// Returns the first index to probe.
        ///
        /// Fibonacci hashing spreads neighboring keys, which are common.
        @inline(__always)
        private func home(of key: Int64) -> Int {
            let spread = UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15
            return Int(truncatingIfNeeded: spread &>> 32) & mask
        }

        @inline(__always)
        private func index(of key: Int64) -> Int {
            var index = home(of: key)
            // At least a quarter of the entries are free.
            while entries[index] != key && entries[index] != 0 { index = (index &+ 1) & mask }
            return index
        }

        @inline(__always)
        func contains(_ key: Int64) -> Bool { key > 0 && entries[index(of: key)] == key }

        func insert(_ key: Int64) {
            if (count + 1) * 4 > (mask + 1) * 3 { grow() }
            entries[index(of: key)] = key
            count += 1
        }

        private func grow() {
            let (old, oldCount) = (entries, mask + 1)
            defer { old.deallocate() }
            entries = Self.makeEntries(oldCount * 2)
            mask = oldCount * 2 - 1
            for oldIndex in 0..<oldCount where old[oldIndex] != 0 {
                entries[index(of: old[oldIndex])] = old[oldIndex]
            }
        }

        /// Frees an entry and moves later entries of its probe sequence up.
        func remove(_ key: Int64) {
            var free = index(of: key)
            count -= 1
            var next = free
            while true {
                next = (next &+ 1) & mask
                if entries[next] == 0 { break }
                let distance = (next &- home(of: entries[next])) & mask
                if distance >= (next &- free) & mask {
                    entries[free] = entries[next]
                    free = next
                }
            }
            entries[free] = 0
        }
    }
}

extension KeySet: Hashable {
    package static func == (lhs: KeySet, rhs: KeySet) -> Bool { lhs.storage === rhs.storage }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(storage)) }
}
