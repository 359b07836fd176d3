import RecordStack

/// A plain model of what a context shows. Identifies objects by number.
struct PlainMuseum: Equatable, Sendable {
    struct Piece: Equatable, Sendable {
        var kind: Kind
        /// The row key, which orders unsorted results.
        var key: Int64
        var shelf = 0
        var code = ""
        var note: String?
        /// The price in quarters.
        var price = 0
        var weight = 0.0
        var epoch: Epoch?
        var isLent = false
        var width = 0
        var wing: Int?
        var themes: Set<Int> = []
    }

    enum Kind: String, CaseIterable { case exhibit, painting, statue }

    struct Hall: Equatable, Sendable {
        var key: Int64
        var name = ""
        var floor = 0
        /// The exhibits of the wing, in order.
        var members: [Int] = []
    }

    var pieces: [Int: Piece] = [:]
    var halls: [Int: Hall] = [:]
    /// The ranks of the themes by number.
    var ranks: [Int: Int] = [:]

    /// The exhibits ordered by key, as in an unsorted result.
    var inKeyOrder: [(number: Int, piece: Piece)] {
        pieces.sorted { $0.value.key < $1.value.key }.map { ($0.key, $0.value) }
    }

    mutating func lead(_ number: Int, to wing: Int?) {
        let old = pieces[number]!.wing
        if old == wing { return }
        if let old { halls[old]!.members.removeAll { $0 == number } }
        pieces[number]!.wing = wing
        if let wing { halls[wing]!.members.append(number) }
    }

    mutating func place(_ number: Int, in wing: Int, at index: Int) {
        lead(number, to: wing)
        halls[wing]!.members.removeAll { $0 == number }
        halls[wing]!.members.insert(number, at: min(index, halls[wing]!.members.count))
    }

    mutating func remove(_ number: Int) {
        lead(number, to: nil)
        pieces[number] = nil
    }

    /// Removes a wing and its exhibits.
    mutating func removeHall(_ number: Int) {
        for member in halls[number]!.members { pieces[member] = nil }
        halls[number] = nil
    }

    /// Describes the differences from another museum.
    func differences(from other: PlainMuseum) -> String {
        var found: [String] = []
        for number in Set(pieces.keys).union(other.pieces.keys).sorted()
        where pieces[number] != other.pieces[number] {
            found.append(
                "exhibit \(number): \(pieces[number].map { "\($0)" } ?? "none")"
                    + " instead of \(other.pieces[number].map { "\($0)" } ?? "none")")
        }
        for number in Set(halls.keys).union(other.halls.keys).sorted()
        where halls[number] != other.halls[number] {
            found.append(
                "wing \(number): \(halls[number].map { "\($0)" } ?? "none")"
                    + " instead of \(other.halls[number].map { "\($0)" } ?? "none")")
        }
        if ranks != other.ranks { found.append("ranks: \(ranks) instead of \(other.ranks)") }
        return found.joined(separator: "\n")
    }
}
