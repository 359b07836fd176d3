import RecordStackModel

/// The keys of a to-many relationship's members, loaded once and kept up to date: in their order where
/// there is one, else as they came.
struct MemberKeys {
    private(set) var keys: ContiguousArray<Int64> = []
    /// What an order, or a long list that was searched, needs besides.
    private var extra: Extra?

    private final class Extra {
        /// The members' places in the order, which goes up along the keys; nil where there is no order.
        var positions: ContiguousArray<Int64>?
        /// Members of which it is not known where in the order they stand: they stand behind the others.
        var unplaced: Set<Int64> = []
        /// For each key, where it stands, or its place in the order. Made when the list is searched.
        var index: [Int64: Int64]?
        /// Where rows stand in the order whose objects had been led elsewhere when the list was loaded.
        var departed: [Int64: Int64] = [:]
        /// A member that stood before its right neighbour against the original order when that was last looked at.
        var misplaced: Int64?

        init(positions: ContiguousArray<Int64>?) {
            self.positions = positions
        }

        init(copying other: Extra) {
            (positions, unplaced, index) = (other.positions, other.unplaced, other.index)
            (misplaced, departed) = (other.misplaced, other.departed)
        }
    }

    init(isOrdered: Bool) {
        if isOrdered { extra = Extra(positions: []) }
    }

    var isOrdered: Bool { extra?.positions != nil }

    /// Whether all members stand where they should.
    var isPlaced: Bool { extra?.unplaced.isEmpty ?? true }

    /// What was loaded stands as well as can be known.
    mutating func assumePlaced() {
        if !isPlaced { ownExtra().unplaced = [] }
    }

    /// What nobody else holds: lists are values.
    private mutating func ownExtra() -> Extra {
        if extra != nil, isKnownUniquelyReferenced(&extra) { return extra.unsafelyUnwrapped }
        let own = extra.map(Extra.init(copying:)) ?? Extra(positions: nil)
        extra = own
        return own
    }

    /// Shorter lists are searched from the beginning.
    private static let searched = 16

    func contains(_ key: Int64) -> Bool { place(of: key) != nil }

    /// Takes in a member that comes behind the others.
    mutating func load(_ key: Int64, position: Int64) {
        keys.append(key)
        if let extra { extra.positions?.append(position) }
    }

    /// Notes the position of a row in the order whose object has another owner now.
    mutating func noteDeparted(_ key: Int64, position: Int64) {
        if isOrdered { ownExtra().departed[key] = position }
    }

    /// Where such a row stands; nil where the list knows of none.
    func positionOfDeparted(_ key: Int64) -> Int64? { extra?.departed[key] }

    /// Where a key stands.
    func place(of key: Int64) -> Int? {
        guard let extra, let index = extra.index else { return keys.firstIndex(of: key) }
        guard let found = index[key] else { return nil }
        return extra.positions == nil ? Int(found) : place(of: key, position: found)
    }

    /// Where a key of a place in the order stands, or would stand.
    private func place(of key: Int64, position: Int64) -> Int {
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

    private mutating func makeIndex() {
        if keys.count <= Self.searched || extra?.index != nil { return }
        let extra = ownExtra()
        var made: [Int64: Int64] = [:]
        made.reserveCapacity(keys.count + 1)
        for (place, key) in keys.enumerated() {
            made[key] = extra.positions?[place] ?? Int64(place)
        }
        extra.index = made
    }

    /// The place of a member in the order.
    func position(at place: Int) -> Int64 { extra?.positions?[place] ?? 0 }

    /// A member's place in the order, where it is known.
    func position(of key: Int64) -> Int64? {
        if extra?.unplaced.contains(key) == true { return nil }
        return place(of: key).map(position)
    }

    /// The place of the last member; nil for none.
    var lastPosition: Int64? { extra?.positions?.last }

    /// The place of a member that is appended. Where another program has used up all places, it is the last
    /// one's, behind whom it stands by its key.
    var nextPosition: Int64 {
        min((lastPosition ?? 0) + Self.gap, orderPositions.upperBound)
    }

    /// Takes in a member, or gives one another place in the order.
    mutating func insert(_ key: Int64, position: Int64 = 0) {
        makeIndex()
        if !isPlaced { ownExtra().unplaced.remove(key) }
        if let place = place(of: key) {
            if !isOrdered || self.position(at: place) == position { return }
            removeMember(at: place)
        }
        guard isOrdered else {
            if extra != nil { ownExtra().index?[key] = Int64(keys.count) }
            keys.append(key)
            return
        }
        let place = place(of: key, position: position)
        let extra = ownExtra()
        keys.insert(key, at: place)
        extra.positions?.insert(position, at: place)
        extra.index?[key] = position
    }

    /// Takes in a member that may be there already.
    /// - Parameter position: nil where it is not known.
    mutating func enter(_ key: Int64, _ position: Int64?) {
        if let position { return insert(key, position: position) }
        if contains(key) { return }
        insert(key, position: nextPosition)
        if isOrdered { ownExtra().unplaced.insert(key) }
    }

    mutating func remove(_ key: Int64) {
        makeIndex()
        if !isPlaced { ownExtra().unplaced.remove(key) }
        if let place = place(of: key) { removeMember(at: place) }
    }

    mutating func remove(_ gone: Set<Int64>) {
        if gone.count < keys.count {
            for key in gone { remove(key) }
        } else {
            for key in keys where gone.contains(key) { remove(key) }
        }
    }

    private mutating func removeMember(at place: Int) {
        let extra = extra == nil ? nil : ownExtra()
        extra?.index?[keys[place]] = nil
        if extra?.positions != nil {
            extra?.positions?.remove(at: place)
            keys.remove(at: place)
            return
        }
        // The last key takes the place of the one that goes.
        let last = keys.removeLast()
        if place == keys.count { return }
        keys[place] = last
        extra?.index?[last] = Int64(place)
    }
}

// MARK: The original order

extension MemberKeys {
    /// Whether the member that was last found to stand against the original order still does. One move seldom mends an
    /// order, and each move asks.
    /// - Parameter original: the place that a member had before it was moved; nil for one that was not.
    func isKnownToBeReordered(_ original: (Int64) -> Int64?) -> Bool {
        guard let known = extra?.misplaced, let place = place(of: known) else { return false }
        return isMisplaced(at: place, original)
    }

    /// Whether a member stands between its neighbours as it does in the original order.
    mutating func stands(_ key: Int64, inOrderOf original: (Int64) -> Int64?) -> Bool {
        guard let place = place(of: key) else { return false }
        for place in [place - 1, place] where isMisplaced(at: place, original) {
            ownExtra().misplaced = keys[place]
            return false
        }
        return true
    }

    private func isMisplaced(at place: Int, _ original: (Int64) -> Int64?) -> Bool {
        guard place >= 0, place + 1 < keys.count else { return false }
        let left = (original(keys[place]) ?? position(at: place), keys[place])
        let right = (original(keys[place + 1]) ?? position(at: place + 1), keys[place + 1])
        return left > right
    }
}

// MARK: Places in an order

extension MemberKeys {
    /// Between the places of two members that follow each other when the second is appended: so many
    /// can be put between them before others have to make room.
    static let gap: Int64 = 1 << 32
    /// Closer than this, members that stand together get places anew.
    private static let leastRoom: Int64 = 1 << 12

    /// Gives a member another place among the others.
    /// - Parameter place: where it stands afterwards.
    /// - Returns: the members whose places in the order are others now, with their places before.
    mutating func move(_ key: Int64, to place: Int) -> [Move] {
        guard let old = self.place(of: key), old != place else { return [] }
        let oldPosition = position(at: old)
        // Its own old place does not count.
        remove(key)
        var moves: [Int64: Move] = [:]
        give(makeRoom(at: place), noting: &moves)
        var position = between(place - 1, place)
        if !isOrderPosition(position) {
            // Another program has put members at the end of what places there are.
            give(spread(keys.indices, from: 0, by: Self.gap), noting: &moves)
            position = between(place - 1, place)
        }
        insert(key, position: position)
        return moves.values.sorted { $0.position < $1.position }
            + [Move(key: key, old: oldPosition, position: position)]
    }

    /// Gives members other places, and notes the places that they had before the first time.
    private mutating func give(
        _ places: [(key: Int64, position: Int64)], noting moves: inout [Int64: Move]
    ) {
        for (key, position) in places {
            let shown = self.place(of: key).map(self.position) ?? position
            moves[key] = Move(key: key, old: moves[key]?.old ?? shown, position: position)
            insert(key, position: position)
        }
    }

    /// A member that has another place in the order.
    struct Move {
        let key: Int64
        let old: Int64
        let position: Int64
    }

    /// The middle between the places of two neighbours.
    private func between(_ left: Int, _ right: Int) -> Int64 {
        switch (left >= 0, right < keys.count) {
        case (false, false): Self.gap
        case (true, false): position(at: left) + Self.gap
        case (false, true): position(at: right) - Self.gap
        case (true, true):
            position(at: left) + (position(at: right) - position(at: left)) / 2
        }
    }

    /// Spreads members around a place, as few as will do, so that another one fits in.
    private func makeRoom(at place: Int) -> [(key: Int64, position: Int64)] {
        guard place > 0, place < keys.count,
            position(at: place) - position(at: place - 1) < 2
        else { return [] }
        var (lower, upper) = (place - 1, place + 1)
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

/// The to-many relationships of an object whose keys are loaded. There are hardly ever more than a few.
struct MemberTable {
    private var entries: ContiguousArray<(relationship: Int, keys: MemberKeys)> = []

    var isEmpty: Bool { entries.isEmpty }
    var relationships: [Int] { entries.map(\.relationship) }

    private func place(of relationship: Int) -> Int? {
        entries.firstIndex { $0.relationship == relationship }
    }

    func contains(_ relationship: Int) -> Bool { place(of: relationship) != nil }

    /// The keys alone, where they are as they should be.
    func keys(_ relationship: Int) -> ContiguousArray<Int64>? {
        for entry in entries where entry.relationship == relationship {
            return entry.keys.isPlaced ? entry.keys.keys : nil
        }
        return nil
    }

    subscript(relationship: Int) -> MemberKeys? {
        get { place(of: relationship).map { entries[$0].keys } }
        _modify {
            let place = place(of: relationship)
            // Changed in place: there is one reference to the list.
            var keys = place.map { entries[$0].keys }
            if let place { entries[place].keys = MemberKeys(isOrdered: false) }
            defer {
                switch (place, keys) {
                case (let place?, let keys?): entries[place].keys = keys
                case (let place?, nil): entries.remove(at: place)
                case (nil, let keys?): entries.append((relationship, keys))
                case (nil, nil): break
                }
            }
            yield &keys
        }
    }
}

/// Which objects of a context have keys of which to-many relationships loaded.
struct MemberRegistry {
    /// By the relationship's place among all of the model.
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
