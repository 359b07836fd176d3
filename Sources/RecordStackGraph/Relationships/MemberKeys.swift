import RecordStackModel

/// The loaded keys of a to-many relationship's members, kept up to date.
///
/// They are in order if the relationship is ordered, and otherwise in no particular order.
struct MemberKeys {
    private(set) var keys: ContiguousArray<Int64> = []
    /// Further data of an ordered relationship, or of a long list that was searched.
    private var extra: Extra?

    private final class Extra {
        /// The members' positions, which ascend along the keys; nil without an order.
        var positions: ContiguousArray<Int64>?
        /// The members whose positions are unknown, which stand after the other members.
        var withoutPosition: Set<Int64> = []
        /// Each key's index, or its position in an ordered relationship.
        ///
        /// Created when the list is first searched.
        var lookup: [Int64: Int64]?
        /// The positions of rows whose objects referred to another owner when the list was loaded.
        var departed: [Int64: Int64] = [:]
        /// A member that preceded its right neighbor against the original order at the last check.
        var outOfOrder: Int64?

        init(positions: ContiguousArray<Int64>?) {
            self.positions = positions
        }

        init(copying other: Extra) {
            (positions, lookup) = (other.positions, other.lookup)
            (withoutPosition, departed) = (other.withoutPosition, other.departed)
            outOfOrder = other.outOfOrder
        }
    }

    init(isOrdered: Bool) {
        if isOrdered { extra = Extra(positions: []) }
    }

    var isOrdered: Bool { extra?.positions != nil }

    /// Whether the positions of all members are known.
    var knowsAllPositions: Bool { extra?.withoutPosition.isEmpty ?? true }

    /// Treats all positions as known, because a list that was just loaded cannot learn more.
    mutating func assumeAllPositionsKnown() {
        if !knowsAllPositions { ownExtra().withoutPosition = [] }
    }

    /// Returns the list's own further data, copied first if another list shares it.
    private mutating func ownExtra() -> Extra {
        if extra != nil, isKnownUniquelyReferenced(&extra) { return extra.unsafelyUnwrapped }
        let own = extra.map(Extra.init(copying:)) ?? Extra(positions: nil)
        extra = own
        return own
    }

    /// The largest number of keys that are searched from the beginning.
    private static let searched = 16

    func contains(_ key: Int64) -> Bool { index(of: key) != nil }

    /// Appends a member.
    mutating func load(_ key: Int64, position: Int64) {
        keys.append(key)
        if let extra { extra.positions?.append(position) }
    }

    /// Records the position of a row whose object has another owner by now.
    mutating func noteDeparted(_ key: Int64, position: Int64) {
        if isOrdered { ownExtra().departed[key] = position }
    }

    /// Returns the position of a row whose object has another owner, or nil if the list has none.
    func positionOfDeparted(_ key: Int64) -> Int64? { extra?.departed[key] }

    /// Returns the index of a key.
    func index(of key: Int64) -> Int? {
        guard let extra, let lookup = extra.lookup else { return keys.firstIndex(of: key) }
        guard let found = lookup[key] else { return nil }
        return extra.positions == nil ? Int(found) : index(of: key, position: found)
    }

    /// Returns the index that a key with a position has, or would have.
    private func index(of key: Int64, position: Int64) -> Int {
        guard let positions = extra?.positions else { return keys.count }
        var (lower, upper) = (0, keys.count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if (positions[middle], keys[middle]) < (position, key) {
                lower = middle + 1
            } else {
                upper = middle
            }
        }
        return lower
    }

    private mutating func makeLookup() {
        if keys.count <= Self.searched || extra?.lookup != nil { return }
        let extra = ownExtra()
        var made: [Int64: Int64] = [:]
        made.reserveCapacity(keys.count + 1)
        for (index, key) in keys.enumerated() {
            made[key] = extra.positions?[index] ?? Int64(index)
        }
        extra.lookup = made
    }

    /// Returns the position of the member at an index.
    func position(at index: Int) -> Int64 { extra?.positions?[index] ?? 0 }

    /// Returns a member's position; nil if it is unknown.
    func position(of key: Int64) -> Int64? {
        if extra?.withoutPosition.contains(key) == true { return nil }
        return index(of: key).map(position)
    }

    /// The position of the last member; nil if there is none.
    var lastPosition: Int64? { extra?.positions?.last }

    /// The position of an appended member.
    ///
    /// If another program has used up all positions, this is the last member's position. The key
    /// then puts the new member after the last one.
    var nextPosition: Int64 {
        min((lastPosition ?? 0) + Self.gap, orderPositions.upperBound)
    }

    /// Adds a member, or changes its position.
    mutating func insert(_ key: Int64, position: Int64 = 0) {
        makeLookup()
        if !knowsAllPositions { ownExtra().withoutPosition.remove(key) }
        if let index = index(of: key) {
            if !isOrdered || self.position(at: index) == position { return }
            removeMember(at: index)
        }
        guard isOrdered else {
            if extra != nil { ownExtra().lookup?[key] = Int64(keys.count) }
            keys.append(key)
            return
        }
        let index = index(of: key, position: position)
        let extra = ownExtra()
        keys.insert(key, at: index)
        extra.positions?.insert(position, at: index)
        extra.lookup?[key] = position
    }

    /// Adds a member that may be in the list already.
    ///
    /// - Parameter position: The member's position; nil if it is unknown.
    mutating func enter(_ key: Int64, _ position: Int64?) {
        if let position { return insert(key, position: position) }
        if contains(key) { return }
        insert(key, position: nextPosition)
        if isOrdered { ownExtra().withoutPosition.insert(key) }
    }

    mutating func remove(_ key: Int64) {
        makeLookup()
        if !knowsAllPositions { ownExtra().withoutPosition.remove(key) }
        if let index = index(of: key) { removeMember(at: index) }
    }

    mutating func remove(_ gone: Set<Int64>) {
        if gone.count < keys.count {
            for key in gone { remove(key) }
        } else {
            for key in keys where gone.contains(key) { remove(key) }
        }
    }

    private mutating func removeMember(at index: Int) {
        let extra = extra == nil ? nil : ownExtra()
        extra?.lookup?[keys[index]] = nil
        if extra?.positions != nil {
            extra?.positions?.remove(at: index)
            keys.remove(at: index)
            return
        }
        // The last key moves to the index of the removed one.
        let last = keys.removeLast()
        if index == keys.count { return }
        keys[index] = last
        extra?.lookup?[last] = Int64(index)
    }
}

// MARK: The original order

extension MemberKeys {
    /// Whether the member that was last found out of its original order still is.
    ///
    /// A single move rarely restores an order, and each move runs this check.
    ///
    /// - Parameter original: Returns a member's position before it was moved; nil if it was not
    ///   moved.
    func isKnownToBeReordered(_ original: (Int64) -> Int64?) -> Bool {
        guard let known = extra?.outOfOrder, let index = index(of: known) else { return false }
        return isOutOfOrder(at: index, original)
    }

    /// Whether a member stands between its neighbors as in the original order.
    mutating func stands(_ key: Int64, inOrderOf original: (Int64) -> Int64?) -> Bool {
        guard let index = index(of: key) else { return false }
        for left in [index - 1, index] where isOutOfOrder(at: left, original) {
            ownExtra().outOfOrder = keys[left]
            return false
        }
        return true
    }

    private func isOutOfOrder(at index: Int, _ original: (Int64) -> Int64?) -> Bool {
        guard index >= 0, index + 1 < keys.count else { return false }
        let left = (original(keys[index]) ?? position(at: index), keys[index])
        let right = (original(keys[index + 1]) ?? position(at: index + 1), keys[index + 1])
        return left > right
    }
}

// MARK: Positions in an order

extension MemberKeys {
    /// The distance between the positions of the last member and an appended one.
    ///
    /// Members can be moved between the two until the positions between them are used up.
    static let gap: Int64 = 1 << 32
    /// The smallest distance between spread members; below it, more members are spread.
    private static let leastRoom: Int64 = 1 << 12

    /// Moves a member to another index.
    ///
    /// - Parameter index: The member's index after the move.
    /// - Returns: The members whose positions have changed, with their old positions.
    mutating func move(_ key: Int64, to index: Int) -> [Move] {
        guard let old = self.index(of: key), old != index else { return [] }
        let oldPosition = position(at: old)
        // The member's own old position must not count.
        remove(key)
        var moves: [Int64: Move] = [:]
        give(makeRoom(at: index), noting: &moves)
        var position = between(index - 1, index)
        if !isOrderPosition(position) {
            // Another program has put members at the first or last possible position.
            give(spread(keys.indices, from: 0, by: Self.gap), noting: &moves)
            position = between(index - 1, index)
        }
        insert(key, position: position)
        return moves.values.sorted { $0.position < $1.position }
            + [Move(key: key, old: oldPosition, position: position)]
    }

    /// Changes the positions of members, and records the position of each before its first change.
    private mutating func give(
        _ positions: [(key: Int64, position: Int64)], noting moves: inout [Int64: Move]
    ) {
        for (key, position) in positions {
            let shown = self.index(of: key).map(self.position) ?? position
            moves[key] = Move(key: key, old: moves[key]?.old ?? shown, position: position)
            insert(key, position: position)
        }
    }

    /// A member whose position has changed.
    struct Move {
        let key: Int64
        let old: Int64
        let position: Int64
    }

    /// Returns the middle between the positions of two neighbors.
    private func between(_ left: Int, _ right: Int) -> Int64 {
        switch (left >= 0, right < keys.count) {
        case (false, false): Self.gap
        case (true, false): position(at: left) + Self.gap
        case (false, true): position(at: right) - Self.gap
        case (true, true):
            position(at: left) + (position(at: right) - position(at: left)) / 2
        }
    }

    /// Spreads as few members around an index as necessary, so that another one fits in.
    private func makeRoom(at index: Int) -> [(key: Int64, position: Int64)] {
        guard index > 0, index < keys.count,
            position(at: index) - position(at: index - 1) < 2
        else { return [] }
        var (lower, upper) = (index - 1, index + 1)
        while true {
            let start = lower > 0 ? position(at: lower - 1) : nil
            let end = upper < keys.count ? position(at: upper) : nil
            let count = Int64(upper - lower)
            switch (start, end) {
            case (let start?, let end?):
                let step = (end - start) / (count + 1)
                if step >= Self.leastRoom { return spread(lower..<upper, from: start, by: step) }
            case (let start?, nil): return spread(lower..<upper, from: start, by: Self.gap)
            case (nil, let end?):
                return spread(lower..<upper, from: end - (count + 1) * Self.gap, by: Self.gap)
            case (nil, nil): return spread(lower..<upper, from: 0, by: Self.gap)
            }
            let width = upper - lower
            (lower, upper) = (max(0, lower - width), min(keys.count, upper + width))
        }
    }

    private func spread(
        _ range: Range<Int>, from start: Int64, by step: Int64
    ) -> [(key: Int64, position: Int64)] {
        range.enumerated().map { (keys[$1], start + Int64($0 + 1) * step) }
    }
}

/// The loaded keys of an object's to-many relationships, of which there are rarely more than a few.
struct MemberTable {
    private var entries: ContiguousArray<(relationship: Int, keys: MemberKeys)> = []

    var isEmpty: Bool { entries.isEmpty }
    var relationships: [Int] { entries.map(\.relationship) }

    private func index(of relationship: Int) -> Int? {
        entries.firstIndex { $0.relationship == relationship }
    }

    func contains(_ relationship: Int) -> Bool { index(of: relationship) != nil }

    /// Returns the keys; nil if they are not loaded or the position of a member is unknown.
    func keys(_ relationship: Int) -> ContiguousArray<Int64>? {
        for entry in entries where entry.relationship == relationship {
            return entry.keys.knowsAllPositions ? entry.keys.keys : nil
        }
        return nil
    }

    subscript(relationship: Int) -> MemberKeys? {
        get { index(of: relationship).map { entries[$0].keys } }
        _modify {
            let index = index(of: relationship)
            // Taken out of the table, so that the list has one reference and changes in place.
            var keys = index.map { entries[$0].keys }
            if let index { entries[index].keys = MemberKeys(isOrdered: false) }
            defer {
                switch (index, keys) {
                case (let index?, let keys?): entries[index].keys = keys
                case (let index?, nil): entries.remove(at: index)
                case (nil, let keys?): entries.append((relationship, keys))
                case (nil, nil): break
                }
            }
            yield &keys
        }
    }
}

/// The objects of a context that have loaded keys of to-many relationships.
struct MemberRegistry {
    /// The keys of the objects, by the relationship's index in the model.
    private var owners: [Int: Set<Int64>] = [:]

    var isEmpty: Bool { owners.isEmpty }

    mutating func add(_ owner: Int64, _ relation: Int) {
        owners[relation, default: []].insert(owner)
    }

    mutating func add(_ owners: [ManagedObject], _ relation: Int) {
        self.owners[relation, default: []].formUnion(owners.lazy.map(\.keyValue))
    }

    mutating func remove(_ owner: Int64, _ relation: Int) {
        owners[relation]?.remove(owner)
        if owners[relation]?.isEmpty == true { owners[relation] = nil }
    }

    func owners(of relation: Int) -> Set<Int64> { owners[relation] ?? [] }
}
