import RecordStackModel

/// The keys of a to-many relationship's members, loaded once and kept up to date.
struct MemberKeys {
    private(set) var keys: ContiguousArray<Int64>
    /// Where each key stands, made when the list gets long or is searched.
    private var places: [Int64: Int]?

    init(_ keys: ContiguousArray<Int64>) {
        self.keys = keys
    }

    private static let searched = 16

    mutating func contains(_ key: Int64) -> Bool { place(of: key) != nil }

    private mutating func place(of key: Int64) -> Int? {
        if keys.count <= Self.searched { return keys.firstIndex(of: key) }
        if places == nil {
            places = Dictionary(keys.enumerated().map { ($1, $0) }, uniquingKeysWith: { a, _ in a })
        }
        return places?[key]
    }

    mutating func insert(_ key: Int64) {
        if place(of: key) != nil { return }
        places?[key] = keys.count
        keys.append(key)
    }

    /// The last key takes the place of the one that goes.
    mutating func remove(_ key: Int64) {
        guard let place = place(of: key) else { return }
        let last = keys.count - 1
        if place != last {
            keys[place] = keys[last]
            places?[keys[place]] = place
        }
        places?[key] = nil
        keys.removeLast()
    }
}

/// Which objects of a context have keys of which to-many relationships loaded.
struct MemberRegistry {
    struct Relation: Hashable {
        /// The hierarchy of the owners, and the place of the relationship among theirs.
        let hierarchy: Int
        let relationship: Int
    }

    private var owners: [Relation: Set<Int64>] = [:]

    var isEmpty: Bool { owners.isEmpty }

    mutating func add(_ owner: Int64, _ relation: Relation) {
        owners[relation, default: []].insert(owner)
    }

    mutating func remove(_ owner: Int64, _ relation: Relation) {
        owners[relation]?.remove(owner)
        if owners[relation]?.isEmpty == true { owners[relation] = nil }
    }

    func owners(of relation: Relation) -> Set<Int64> { owners[relation] ?? [] }
}
