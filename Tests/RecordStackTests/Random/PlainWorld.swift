/// The same graph in dictionaries, with which the library is compared. Numbers represent the
/// objects.
struct PlainWorld: Equatable {
    enum Kind: String, CaseIterable {
        case hub, spoke, fatSpoke, rider, ring, mark
    }

    struct Pair: Hashable {
        let a: Int
        let b: Int
    }

    var kinds: [Int: Kind] = [:]
    var codes: [Int: Int] = [:]
    var hubOfSpoke: [Int: Int] = [:]
    var spokes: [Int: [Int]] = [:]
    var crew: [Int: Int] = [:]
    var guarded: [Int: Int] = [:]
    var front: [Int: Int] = [:]
    var ring: [Int: Int] = [:]
    var pet: [Int: Int] = [:]
    var marks: Set<Pair> = []
    var row: [Int: [Int]] = [:]
    var friends: Set<Pair> = []
    var fans: Set<Pair> = []
    var ranked: [Int: [Int]] = [:]
    var ranks: [Int: [Int]] = [:]

    func numbers(_ wanted: Kind...) -> [Int] {
        kinds.filter { wanted.contains($0.value) }.map(\.key).sorted()
    }

    var hasDoubleCode: Bool { Set(codes.values).count < codes.count }

    // MARK: Relating

    mutating func lead(_ spoke: Int, to hub: Int?) {
        if hubOfSpoke[spoke] == hub { return }
        if let old = hubOfSpoke[spoke] { Self.drop(spoke, from: &spokes, of: old) }
        hubOfSpoke[spoke] = hub
        if let hub { spokes[hub, default: []].append(spoke) }
    }

    mutating func place(_ spoke: Int, in hub: Int, at index: Int) {
        lead(spoke, to: hub)
        Self.place(spoke, in: &spokes, of: hub, at: index)
    }

    mutating func setFront(of hub: Int, to other: Int?) {
        if let other { front = front.filter { $0.value != other } }
        front[hub] = other
    }

    mutating func setRing(of hub: Int, to other: Int?) {
        if let other { ring = ring.filter { $0.value != other } }
        ring[hub] = other
    }

    mutating func befriend(_ a: Int, _ b: Int, _ isFriend: Bool) {
        for pair in [Pair(a: a, b: b), Pair(a: b, b: a)] {
            if isFriend { friends.insert(pair) } else { friends.remove(pair) }
        }
    }

    mutating func rank(_ rider: Int, in hub: Int, at index: Int) {
        if ranked[hub]?.contains(rider) != true { ranks[rider, default: []].append(hub) }
        Self.place(rider, in: &ranked, of: hub, at: index)
    }

    mutating func unrank(_ rider: Int, in hub: Int) {
        Self.drop(rider, from: &ranked, of: hub)
        Self.drop(hub, from: &ranks, of: rider)
    }

    mutating func mark(_ mark: Int, in hub: Int, at index: Int) {
        Self.place(mark, in: &row, of: hub, at: index)
    }

    mutating func unmark(_ mark: Int, in hub: Int) {
        Self.drop(mark, from: &row, of: hub)
    }

    private static func place(
        _ member: Int, in lists: inout [Int: [Int]], of owner: Int, at index: Int
    ) {
        var list = lists[owner] ?? []
        list.removeAll { $0 == member }
        list.insert(member, at: min(max(index, 0), list.count))
        lists[owner] = list
    }

    private static func drop(_ member: Int, from lists: inout [Int: [Int]], of owner: Int) {
        lists[owner]?.removeAll { $0 == member }
        if lists[owner]?.isEmpty == true { lists[owner] = nil }
    }

    // MARK: Deleting

    /// - Returns: the objects that a deletion deletes, and the hubs that deny it.
    func deletion(of number: Int) -> (gone: Set<Int>, denied: Set<Int>) {
        var gone: Set<Int> = []
        var waiting = [number]
        while let next = waiting.popLast() {
            guard gone.insert(next).inserted else { continue }
            waiting += spokes[next] ?? []
            waiting += [ring[next], pet[next]].compactMap { $0 }
        }
        let denied = guarded.filter { gone.contains($0.value) && !gone.contains($0.key) }
        return (gone, Set(denied.values))
    }

    mutating func remove(_ gone: Set<Int>) {
        let isGone = gone.contains
        func without(_ map: [Int: Int]) -> [Int: Int] {
            map.filter { !isGone($0.key) && !isGone($0.value) }
        }
        func without(_ pairs: Set<Pair>) -> Set<Pair> {
            pairs.filter { !isGone($0.a) && !isGone($0.b) }
        }
        func without(_ lists: [Int: [Int]]) -> [Int: [Int]] {
            lists.filter { !isGone($0.key) }.mapValues { $0.filter { !isGone($0) } }
                .filter { !$0.value.isEmpty }
        }
        kinds = kinds.filter { !isGone($0.key) }
        codes = codes.filter { !isGone($0.key) }
        (hubOfSpoke, crew, guarded) = (without(hubOfSpoke), without(crew), without(guarded))
        (front, ring, pet) = (without(front), without(ring), without(pet))
        (marks, friends, fans) = (without(marks), without(friends), without(fans))
        (spokes, row) = (without(spokes), without(row))
        (ranked, ranks) = (without(ranked), without(ranks))
    }

    /// Returns a description of the differences.
    func differences(from other: PlainWorld) -> String {
        let mine = Mirror(reflecting: self).children
        let theirs = Mirror(reflecting: other).children
        return zip(mine, theirs).compactMap { mine, theirs in
            let (a, b) = (Self.text(mine.value), Self.text(theirs.value))
            return a == b ? nil : "\(mine.label ?? ""): \(a) instead of \(b)"
        }.joined(separator: "\n")
    }

    private static func text(_ value: Any) -> String {
        switch value {
        case let map as [Int: Int]: map.sorted { $0.key < $1.key }.map { "\($0)→\($1)" }.description
        case let lists as [Int: [Int]]:
            lists.sorted { $0.key < $1.key }.map { "\($0):\($1)" }.description
        case let pairs as Set<Pair>: pairs.map { "\($0.a)-\($0.b)" }.sorted().description
        case let kinds as [Int: Kind]:
            kinds.sorted { $0.key < $1.key }.map { "\($0)\($1)" }.description
        default: "\(value)"
        }
    }
}
