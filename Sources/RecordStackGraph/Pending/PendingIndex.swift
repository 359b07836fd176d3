import RecordStackModel

/// The objects that differ from the store by their values in one slot: exact, so that whoever asks for a value looks at
/// nothing else.
///
/// A value takes 12 bytes in a table that is at least three eighths full, and a list of 8 bytes for each object where
/// several have it. Values are not kept: they are those of the objects, which are taken out before they change.
final class PendingIndex {
    /// What an index is of.
    struct Subject: Hashable {
        /// Entities that inherit from different ones may mean different things by a slot.
        let entity: Int
        let slot: Int
        /// Whether texts are alike that differ in upper and lower case.
        var isCaseless = false

        /// The form of a value that is the same for all that are alike.
        func normal(_ value: StoredValue) -> StoredValue {
            if isCaseless, case .text(let text) = value { return .text(text.lowercased()) }
            return value
        }

        fileprivate func value(of object: ManagedObject) -> StoredValue {
            normal(object.storedValue(at: slot))
        }
    }

    let subject: Subject
    /// Above 0 the key of the only object that has a value, below it the complement of the place of a list; 0 is free.
    private var places: ContiguousArray<Int64>
    private var hashes: ContiguousArray<UInt32>
    private var used = 0
    private var lists: ContiguousArray<ContiguousArray<Int64>> = []
    private var freeLists: [Int] = []

    init(of subject: Subject) {
        self.subject = subject
        places = ContiguousArray(repeating: 0, count: 16)
        hashes = ContiguousArray(repeating: 0, count: 16)
    }

    /// The keys of the objects that have a value, ascending.
    func keys(of value: StoredValue, in table: EntityTable) -> ContiguousArray<Int64> {
        let value = subject.normal(value)
        let found = places[place(of: value, Self.hash(value), in: table)]
        if found == 0 { return [] }
        return found > 0 ? [found] : lists[Int(~found)]
    }

    /// How many objects have a value.
    func count(of value: StoredValue, in table: EntityTable) -> Int {
        let value = subject.normal(value)
        let found = places[place(of: value, Self.hash(value), in: table)]
        return found < 0 ? lists[Int(~found)].count : found == 0 ? 0 : 1
    }

    /// Takes in an object with the value that it has now.
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

    /// Takes an object out, which has its value still. One that is not there stays away.
    func remove(_ object: ManagedObject, in table: EntityTable) {
        let value = subject.value(of: object)
        let place = place(of: value, Self.hash(value), in: table)
        let known = places[place]
        if known == object.keyValue { return vacate(place) }
        guard known < 0 else { return }
        let list = Int(~known)
        lists[list].removeSorted(object.keyValue)
        if lists[list].count > 1 { return }
        // Only one is left.
        places[place] = lists[list][0]
        lists[list] = []
        freeLists.append(list)
    }

    private func takeList() -> Int {
        if let free = freeLists.popLast() { return free }
        lists.append([])
        return lists.count - 1
    }

    // MARK: The table

    private static func hash(_ value: StoredValue) -> UInt32 {
        UInt32(truncatingIfNeeded: value.hashValue)
    }

    private func home(of hash: UInt32) -> Int { Int(hash) & (places.count &- 1) }

    /// Where a value stands, or would.
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

    /// Moves up what would not be found any more across the place that becomes free.
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
    /// The place of a key in ascending ones, or that of the next.
    fileprivate func lowerBound(_ key: Int64) -> Int {
        // New keys are the largest.
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
    /// What it knows, for a comparison with another one of the same: keys by value.
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
