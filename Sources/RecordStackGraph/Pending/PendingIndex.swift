import RecordStackModel

/// A hash index of the dirty objects by their values in one slot.
///
/// A distinct value costs 12 bytes in a table that is at least 3/8 full. Objects that share a value also cost 8 bytes each,
/// in a list. The index reads values from the objects instead of storing them: the context removes an object from the index
/// before the object changes.
final class PendingIndex {
    /// The slot that an index covers.
    struct Subject: Hashable {
        /// Sibling subentities can use the same slot number for different attributes.
        let entity: Int
        let slot: Int
        /// True if the index ignores case.
        var isCaseless = false

        /// Returns the form in which equal values are identical.
        func normal(_ value: StoredValue) -> StoredValue {
            if isCaseless, case .text(let text) = value { return .text(text.lowercased()) }
            return value
        }

        fileprivate func value(of object: ManagedObject) -> StoredValue {
            normal(object.storedValue(at: slot))
        }
    }

    let subject: Subject
    /// A positive entry is the key of the only object with its value. A negative entry is the complement of an index into
    /// `lists`. 0 is free.
    // Unchecked, here and below: reading an object's stored value calls no code of others.
    @exclusivity(unchecked) private var places: ContiguousArray<Int64>
    @exclusivity(unchecked) private var hashes: ContiguousArray<UInt32>
    @exclusivity(unchecked) private var used = 0
    @exclusivity(unchecked) private var lists: ContiguousArray<ContiguousArray<Int64>> = []
    private var freeLists: [Int] = []

    init(of subject: Subject) {
        self.subject = subject
        places = ContiguousArray(repeating: 0, count: 16)
        hashes = ContiguousArray(repeating: 0, count: 16)
    }

    /// Returns the keys of the objects with a value, in ascending order.
    func keys(of value: StoredValue, in table: EntityTable) -> ContiguousArray<Int64> {
        let value = subject.normal(value)
        let found = places[place(of: value, Self.hash(value), in: table)]
        if found == 0 { return [] }
        return found > 0 ? [found] : lists[Int(~found)]
    }

    /// Inserts an object under its current value.
    func insert(_ object: ManagedObject, in table: EntityTable) {
        if (used + 1) * 4 > places.count * 3 { grow() }
        let value = subject.value(of: object)
        let hash = Self.hash(value)
        let place = place(of: value, hash, in: table)
        let known = places[place]
        if known == 0 {
            (places[place], hashes[place]) = (object.keyValue, hash)
            used += 1
        } else if known < 0 {
            lists[Int(~known)].insertSorted(object.keyValue)
        } else if known != object.keyValue {
            let list = takeList()
            lists[list] = [min(known, object.keyValue), max(known, object.keyValue)]
            places[place] = ~Int64(list)
        }
    }

    /// Removes an object whose value has not changed yet. Does nothing if the index does not contain it.
    func remove(_ object: ManagedObject, in table: EntityTable) {
        let value = subject.value(of: object)
        let place = place(of: value, Self.hash(value), in: table)
        let known = places[place]
        if known == object.keyValue { return vacate(place) }
        guard known < 0 else { return }
        let list = Int(~known)
        lists[list].removeSorted(object.keyValue)
        if lists[list].count > 1 { return }
        // One object is left.
        places[place] = lists[list][0]
        lists[list] = []
        freeLists.append(list)
    }

    private func takeList() -> Int {
        if let free = freeLists.popLast() { return free }
        lists.append([])
        return lists.count - 1
    }

    // MARK: Hash table

    private static func hash(_ value: StoredValue) -> UInt32 {
        UInt32(truncatingIfNeeded: value.hashValue)
    }

    private func home(of hash: UInt32) -> Int { Int(hash) & (places.count &- 1) }

    /// Returns the entry of a value, or the free entry where it belongs.
    private func place(of value: StoredValue, _ hash: UInt32, in table: EntityTable) -> Int {
        var place = home(of: hash)
        while places[place] != 0 {
            if hashes[place] == hash, let other = self.value(at: place, in: table), other == value {
                break
            }
            place = (place &+ 1) & (places.count &- 1)
        }
        return place
    }

    private func value(at place: Int, in table: EntityTable) -> StoredValue? {
        let known = places[place]
        return table.object(known > 0 ? known : lists[Int(~known)][0]).map(subject.value)
    }

    private func grow() {
        let (oldPlaces, oldHashes) = (places, hashes)
        places = ContiguousArray(repeating: 0, count: oldPlaces.count * 2)
        hashes = ContiguousArray(repeating: 0, count: oldPlaces.count * 2)
        for old in oldPlaces.indices where oldPlaces[old] != 0 {
            var place = home(of: oldHashes[old])
            while places[place] != 0 { place = (place &+ 1) & (places.count &- 1) }
            (places[place], hashes[place]) = (oldPlaces[old], oldHashes[old])
        }
    }

    /// Frees an entry and moves later entries of its probe sequence up.
    private func vacate(_ place: Int) {
        var free = place
        var next = place
        used -= 1
        while true {
            next = (next &+ 1) & (places.count &- 1)
            if places[next] == 0 { break }
            let distance = (next &- home(of: hashes[next])) & (places.count &- 1)
            if distance >= (next &- free) & (places.count &- 1) {
                (places[free], hashes[free]) = (places[next], hashes[next])
                free = next
            }
        }
        places[free] = 0
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
        let place = lowerBound(key)
        if place < count && self[place] == key { return }
        insert(key, at: place)
    }

    fileprivate mutating func removeSorted(_ key: Int64) {
        let place = lowerBound(key)
        if place < count && self[place] == key { remove(at: place) }
    }
}

extension PendingIndex {
    /// The keys by value, for comparison with a rebuilt index.
    func contents(in table: EntityTable) -> [StoredValue: ContiguousArray<Int64>] {
        var contents: [StoredValue: ContiguousArray<Int64>] = [:]
        for place in places.indices where places[place] != 0 {
            let known = places[place]
            contents[value(at: place, in: table) ?? .null] =
                known > 0 ? [known] : lists[Int(~known)]
        }
        return contents
    }
}
