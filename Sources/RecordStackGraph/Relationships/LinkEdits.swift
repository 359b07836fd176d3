import RecordStackModel

/// What a context has changed of a pair of related objects since its last save.
struct LinkEdit {
    enum Kind {
        case added, removed
        /// The pair was there, and takes other places.
        case moved
    }

    /// Which edit of which ancestor the nearest one is: 1 is the parent.
    struct Base: Equatable {
        let level: Int
        let serial: Int
    }

    var kind: Kind
    var position: Int64?
    var inversePosition: Int64?
    /// Later edits of a context have larger numbers.
    var serial: Int
    /// Whether it takes the place of one that a save may have written, or that was made over an ancestor's edit which
    /// has changed since: nobody knows whether the pair is in the store.
    var isUncertain = false
    /// The ancestors' edit that it was made over. Where that is another one now, what the edit said of the store does
    /// not hold any more.
    var base: Base?
    /// The places that the pair had before this context changed it; nil where the pair was not there, or nobody has
    /// seen where it stood.
    var original: OriginalPlaces?

    /// The places of a pair in the orders of both of its ends, nil for an end without an order.
    struct OriginalPlaces: Equatable {
        var position: Int64?
        var inversePosition: Int64?

        func position(_ end: LinkEnd) -> Int64? { end == .first ? position : inversePosition }

        mutating func set(_ position: Int64, _ end: LinkEnd) {
            if end == .first { self.position = position } else { inversePosition = position }
        }
    }

    /// Whether the pair stands where it stood before, so that the edit says nothing any more.
    var isTakenBack: Bool {
        guard kind == .moved, !isUncertain, let original else { return false }
        return (position ?? original.position) == original.position
            && (inversePosition ?? original.inversePosition) == original.inversePosition
    }

    /// Gives the pair its old place back in the order of an end.
    mutating func takeBack(_ end: LinkEnd) {
        guard let old = original?.position(end) else { return }
        if end == .first { position = old } else { inversePosition = old }
    }

    func position(_ end: LinkEnd) -> Int64? { end == .first ? position : inversePosition }

    /// Takes places over where the other says some.
    mutating func place(like row: LinkChanges.Row) {
        position = row.position ?? position
        inversePosition = row.inversePosition ?? inversePosition
    }
}

/// What a context has changed of a linkage.
struct LinkEdits {
    private(set) var edits: [LinkPair: LinkEdit] = [:]
    /// The other sides' keys of the pairs that were changed, by each side's.
    private var seconds: [Int64: Set<Int64>] = [:]
    private var firsts: [Int64: Set<Int64>] = [:]
    /// The places of members that have left the owner whose key they keep, until the next save of this context.
    private var left: [LinkPair: Left] = [:]
    /// Goes up with each change, so that contexts below see that there was one.
    private(set) var revision = 0

    var isEmpty: Bool { edits.isEmpty }

    subscript(pair: LinkPair) -> LinkEdit? {
        get { edits[pair] }
        set {
            revision += 1
            if newValue == nil {
                if edits.removeValue(forKey: pair) != nil { removeFromIndex(pair) }
                return
            }
            if edits.updateValue(newValue!, forKey: pair) == nil {
                seconds[pair.first, default: []].insert(pair.second)
                firsts[pair.second, default: []].insert(pair.first)
            }
        }
    }

    /// Keeps where a changed pair stood before. That is no change which contexts below have to see.
    mutating func noteOriginal(_ places: LinkEdit.OriginalPlaces, of pair: LinkPair) {
        edits[pair]?.original = places
    }

    /// Where a member stood in the order of the owner that it has left.
    private struct Left {
        var places: LinkEdit.OriginalPlaces
        /// The ancestors' edit that those places were of.
        let base: LinkEdit.Base?
    }

    /// Keeps the places of a pair that is there no more; nil where nobody knows them.
    mutating func noteLeft(
        _ places: LinkEdit.OriginalPlaces?, of pair: LinkPair, over base: LinkEdit.Base?
    ) {
        if places != nil || !left.isEmpty {
            left[pair] = places.map { Left(places: $0, base: base) }
        }
    }

    /// Whether it says where a pair stood: one that was changed, or has left.
    func knowsPlaces(of pair: LinkPair) -> Bool { edits[pair] != nil || left[pair] != nil }

    /// Notes that somebody else has saved another place for a member that has left here.
    mutating func moveLeft(_ pair: LinkPair, to position: Int64) {
        left[pair]?.places.position = position
    }

    /// The places of a pair that comes back, where they are still those that it would have without this context.
    func placesLeft(by pair: LinkPair, over base: LinkEdit.Base?) -> LinkEdit.OriginalPlaces? {
        left[pair].flatMap { $0.base == base ? $0.places : nil }
    }

    /// After a save of this context, members that have left are in no place to come back to.
    mutating func forgetPlacesLeft() {
        if !left.isEmpty { left = [:] }
    }

    private mutating func removeFromIndex(_ pair: LinkPair) {
        seconds[pair.first]?.remove(pair.second)
        if seconds[pair.first]?.isEmpty == true { seconds[pair.first] = nil }
        firsts[pair.second]?.remove(pair.first)
        if firsts[pair.second]?.isEmpty == true { firsts[pair.second] = nil }
    }

    /// The changed pairs of which an end has a key.
    func pairs(of key: Int64, _ end: LinkEnd) -> [LinkPair] {
        let others = end == .first ? seconds[key] : firsts[key]
        return others.map { $0.map { LinkPair(key, $0, from: end) } } ?? []
    }

    /// The keys at the other ends of those pairs.
    func partners(of key: Int64, _ end: LinkEnd) -> Set<Int64> {
        (end == .first ? seconds[key] : firsts[key]) ?? []
    }

    mutating func removeAll() {
        self = LinkEdits(revision: revision + 1)
    }

    /// Removes the edits up to one.
    mutating func removeAll(upTo serial: Int) {
        for (pair, edit) in edits where edit.serial <= serial { self[pair] = nil }
    }

    init() {}

    private init(revision: Int) { self.revision = revision }

    /// What a save does, in an order that depends on nothing but the pairs.
    /// - Parameter isStale: whether an edit was made over one that has changed since.
    func changes(
        linkage: Int, isStale: (LinkPair, LinkEdit) -> Bool = { _, _ in false }
    ) -> LinkChanges {
        var changes = LinkChanges(linkage: linkage)
        let sorted = edits.sorted { ($0.key.first, $0.key.second) < ($1.key.first, $1.key.second) }
        for (pair, edit) in sorted {
            let row = LinkChanges.Row(
                pair: pair, position: edit.position, inversePosition: edit.inversePosition)
            switch edit.kind {
            case .added: changes.added.append(row)
            case .removed: changes.removed.append(pair)
            case .moved: changes.moved.append(row)
            }
            if edit.isUncertain || edit.kind != .moved && isStale(pair, edit) {
                changes.uncertain.insert(pair)
            }
        }
        return changes
    }
}
