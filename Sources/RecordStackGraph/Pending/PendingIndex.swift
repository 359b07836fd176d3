import RecordStackModel

/// A hash index of the dirty objects by their values in one slot.
///
/// A distinct value costs 12 bytes in a table that is at least 3/8 full. Objects that share a value
/// also cost 8 bytes each, in a list. Two objects form a pair, because an array of two would cost
/// three times as much. The index reads values from the objects instead of storing them. The
/// context therefore removes an object from the index before the object changes.
final class PendingIndex {
    /// The slot that an index covers.
    struct Subject: Hashable {
        /// Sibling subentities can use the same slot number for different attributes.
        let entity: Int
        let slot: Int
        /// True if the index ignores case.
        var isCaseless = false
        /// True if the index has the values of the objects' rows, not those that the objects show.
        var isOfRows = false

        /// Returns the form of a value in which equal values are identical.
        func normal(_ value: StoredValue) -> StoredValue {
            if isCaseless, case .text(let text) = value { return .text(text.lowercased()) }
            return value
        }

        fileprivate func value(of object: ManagedObject) -> StoredValue {
            normal(isOfRows ? object.rowValue(at: slot) : object.storedValue(at: slot))
        }
    }

    let subject: Subject
    // @exclusivity(unchecked): only the context's isolation uses it, never inside an access.

    // Unchecked, here and below: reading an object's stored value runs no code of the program.
    /// The encoded buckets; 0 is a free one.
    @exclusivity(unchecked) private var buckets: ContiguousArray<Int64>
    @exclusivity(unchecked) private var hashes: ContiguousArray<UInt32>
    @exclusivity(unchecked) private var used = 0
    @exclusivity(unchecked) private var pairs: ContiguousArray<SIMD2<Int64>> = []
    @exclusivity(unchecked) private var lists: ContiguousArray<ContiguousArray<Int64>> = []
    @exclusivity(unchecked) private var freePairs: [Int] = []
    @exclusivity(unchecked) private var freeLists: [Int] = []

    /// The objects with one value.
    private enum Bucket {
        /// A key.
        case one(Int64)
        /// An index into `pairs`.
        case pair(Int)
        /// An index into `lists`.
        case list(Int)

        /// Decodes a bucket.
        ///
        /// - Parameter encoded: an entry that is not free.
        init(_ encoded: Int64) {
            let index = Int(~encoded >> 1)
            self = encoded > 0 ? .one(encoded) : ~encoded & 1 == 0 ? .list(index) : .pair(index)
        }

        /// The bucket as an integer: a positive key, or the negative complement of an index.
        var encoded: Int64 {
            switch self {
            case .one(let key): key
            case .pair(let index): ~Int64(index << 1 | 1)
            case .list(let index): ~Int64(index << 1)
            }
        }
    }
    /// The number of the last request that used the index.
    var lastUse = 0

    init(of subject: Subject) {
        self.subject = subject
        buckets = ContiguousArray(repeating: 0, count: 16)
        hashes = ContiguousArray(repeating: 0, count: 16)
    }

    /// Returns the keys of the objects with a value, in ascending order.
    func keys(of value: StoredValue, in table: EntityTable) -> ContiguousArray<Int64> {
        let value = subject.normal(value)
        let found = buckets[index(of: value, Self.hash(value), in: table)]
        return found == 0 ? [] : keys(in: Bucket(found))
    }

    /// Returns the first object by key that has a value and satisfies a condition.
    ///
    /// The call creates no array.
    func first(
        of value: StoredValue, in table: EntityTable, where isWanted: (ManagedObject) throws -> Bool
    ) rethrows -> ManagedObject? {
        func wanted(_ key: Int64) throws -> ManagedObject? {
            guard let object = table.object(key), try isWanted(object) else { return nil }
            return object
        }
        let value = subject.normal(value)
        let found = buckets[index(of: value, Self.hash(value), in: table)]
        if found == 0 { return nil }
        switch Bucket(found) {
        case .one(let key): return try wanted(key)
        case .pair(let index): return try wanted(pairs[index].x) ?? wanted(pairs[index].y)
        case .list(let index):
            for key in lists[index] { if let object = try wanted(key) { return object } }
            return nil
        }
    }

    private func keys(in bucket: Bucket) -> ContiguousArray<Int64> {
        switch bucket {
        case .one(let key): [key]
        case .pair(let index): [pairs[index].x, pairs[index].y]
        case .list(let index): lists[index]
        }
    }

    /// Inserts an object under its current value.
    func insert(_ object: ManagedObject, in table: EntityTable) {
        if (used + 1) * 4 > buckets.count * 3 { grow() }
        let value = subject.value(of: object)
        let hash = Self.hash(value)
        let index = index(of: value, hash, in: table)
        if buckets[index] == 0 {
            (buckets[index], hashes[index]) = (object.keyValue, hash)
            used += 1
        } else {
            buckets[index] = bucket(Bucket(buckets[index]), adding: object.keyValue).encoded
        }
    }

    private func bucket(_ bucket: Bucket, adding key: Int64) -> Bucket {
        switch bucket {
        case .one(key): return bucket
        case .one(let other): return .pair(takePair(min(key, other), max(key, other)))
        case .pair(let index):
            var keys: ContiguousArray = [pairs[index].x, pairs[index].y]
            keys.insertSorted(key)
            if keys.count == 2 { return bucket }
            freePairs.append(index)
            return .list(takeList(keys))
        case .list(let index):
            lists[index].insertSorted(key)
            return bucket
        }
    }

    /// Removes an object before its value changes. Does nothing if the index does not contain it.
    func remove(_ object: ManagedObject, in table: EntityTable) {
        let value = subject.value(of: object)
        let index = index(of: value, Self.hash(value), in: table)
        if buckets[index] == 0 { return }
        guard let left = bucket(Bucket(buckets[index]), removing: object.keyValue) else {
            return vacate(index)
        }
        buckets[index] = left.encoded
    }

    /// Returns the bucket without a key; nil if nothing is left in it.
    private func bucket(_ bucket: Bucket, removing key: Int64) -> Bucket? {
        switch bucket {
        case .one(let known): return known == key ? nil : bucket
        case .pair(let index):
            let pair = pairs[index]
            guard pair.x == key || pair.y == key else { return bucket }
            freePairs.append(index)
            return .one(pair.x == key ? pair.y : pair.x)
        case .list(let index):
            lists[index].removeSorted(key)
            if lists[index].count > 2 { return bucket }
            let (first, second) = (lists[index][0], lists[index][1])
            lists[index] = []
            freeLists.append(index)
            return .pair(takePair(first, second))
        }
    }

    private func takePair(_ first: Int64, _ second: Int64) -> Int {
        guard let free = freePairs.popLast() else {
            pairs.append(SIMD2(first, second))
            return pairs.count - 1
        }
        pairs[free] = SIMD2(first, second)
        return free
    }

    private func takeList(_ keys: ContiguousArray<Int64>) -> Int {
        guard let free = freeLists.popLast() else {
            lists.append(keys)
            return lists.count - 1
        }
        lists[free] = keys
        return free
    }

    // MARK: Hash table

    private static func hash(_ value: StoredValue) -> UInt32 {
        UInt32(truncatingIfNeeded: value.hashValue)
    }

    private func home(of hash: UInt32) -> Int { Int(hash) & (buckets.count &- 1) }

    /// Returns the index of a value's entry, or of the free entry where it belongs.
    private func index(of value: StoredValue, _ hash: UInt32, in table: EntityTable) -> Int {
        var index = home(of: hash)
        while buckets[index] != 0 {
            if hashes[index] == hash, let other = self.value(at: index, in: table), other == value {
                break
            }
            index = (index &+ 1) & (buckets.count &- 1)
        }
        return index
    }

    private func value(at index: Int, in table: EntityTable) -> StoredValue? {
        let key =
            switch Bucket(buckets[index]) {
            case .one(let key): key
            case .pair(let pair): pairs[pair].x
            case .list(let list): lists[list][0]
            }
        return table.object(key).map(subject.value)
    }

    private func grow() {
        let (oldBuckets, oldHashes) = (buckets, hashes)
        buckets = ContiguousArray(repeating: 0, count: oldBuckets.count * 2)
        hashes = ContiguousArray(repeating: 0, count: oldBuckets.count * 2)
        for old in oldBuckets.indices where oldBuckets[old] != 0 {
            var index = home(of: oldHashes[old])
            while buckets[index] != 0 { index = (index &+ 1) & (buckets.count &- 1) }
            (buckets[index], hashes[index]) = (oldBuckets[old], oldHashes[old])
        }
    }

    /// Frees an entry and moves later entries of its probe sequence up.
    private func vacate(_ index: Int) {
        var free = index
        var next = index
        used -= 1
        while true {
            next = (next &+ 1) & (buckets.count &- 1)
            if buckets[next] == 0 { break }
            let distance = (next &- home(of: hashes[next])) & (buckets.count &- 1)
            if distance >= (next &- free) & (buckets.count &- 1) {
                (buckets[free], hashes[free]) = (buckets[next], hashes[next])
                free = next
            }
        }
        buckets[free] = 0
    }
}

extension ContiguousArray<Int64> {
    /// Returns the index of a key in an ascending array, or the index at which to insert it.
    fileprivate func lowerBound(_ key: Int64) -> Int {
        // A new object has the largest key.
        if let last, last < key { return count }
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    fileprivate mutating func insertSorted(_ key: Int64) {
        let index = lowerBound(key)
        if index < count && self[index] == key { return }
        insert(key, at: index)
    }

    fileprivate mutating func removeSorted(_ key: Int64) {
        let index = lowerBound(key)
        if index < count && self[index] == key { remove(at: index) }
    }
}

extension PendingIndex {
    /// The keys by value, for comparison with a rebuilt index.
    func contents(in table: EntityTable) -> [StoredValue: ContiguousArray<Int64>] {
        var contents: [StoredValue: ContiguousArray<Int64>] = [:]
        for index in buckets.indices where buckets[index] != 0 {
            contents[value(at: index, in: table) ?? .null] = keys(in: Bucket(buckets[index]))
        }
        return contents
    }
}
