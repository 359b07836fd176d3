import RecordStackModel

extension Verb {
    /// Returns the expected answer of a context that shows `museum`.
    func answer(_ asked: Asked, of museum: PlainMuseum) -> String {
        let question = asked.question
        let choice = asked.choice
        var all: [Int] { question.matching(in: museum).map(\.number) }
        var found: [(number: Int, piece: PlainMuseum.Piece)] { question.answer(in: museum) }
        switch self {
        case .find, .snapshots: return Self.text(found.map(\.number))
        case .findFirst: return "\(all.first ?? -1)"
        case .findFirstByShelf:
            var byShelf = Question()
            byShelf.kind = question.kind
            byShelf.filter = .term(.shelf(choice % 6))
            return "\(byShelf.matching(in: museum).first?.number ?? -1)"
        case .findFirstByNumber:
            let isThere = museum.pieces[choice % 40].map {
                question.kind == .exhibit || $0.kind == question.kind
            }
            return "\(isThere == true ? choice % 40 : -1)"
        case .one:
            return all.isEmpty ? "notFound" : all.count > 1 ? "notUnique" : "\(all[0])"
        case .count: return "\(found.count)"
        case .exists: return "\(!found.isEmpty)"
        case .page:
            let size = 1 + choice % 4
            return Self.text(Array(all.dropFirst(choice % 3 * size).prefix(size)))
                + " of \(all.count)"
        case .keysetPages, .backwards, .each: return Self.text(all)
        case .values: return Self.text(found.map(\.piece.shelf))
        case .lazily: return Self.text(found.map(\.number)) + " \(found.count)"
        case .objectIDs: return "\(found.map(\.piece.key))"
        case .rows: return "\(found.map { ($0.number, $0.piece.note) })"
        default: return summary(asked, of: museum)
        }
    }

    private func summary(_ asked: Asked, of museum: PlainMuseum) -> String {
        let pieces = asked.question.matching(in: museum)
        switch self {
        case .distinctValues: return "\(Set(pieces.map(\.piece.code)).sorted())"
        case .distinctCount: return "\(Set(pieces.map(\.piece.shelf)).count)"
        case .groups:
            let groups = Dictionary(grouping: pieces, by: \.piece.shelf).sorted { $0.key < $1.key }
            return "\(groups.map { Self.group($0.key, $0.value) })"
        case .aggregates:
            let weights = pieces.map(\.piece.weight)
            let average = weights.isEmpty ? -1 : weights.reduce(0, +) / Double(weights.count)
            return "\(pieces.reduce(0) { $0 + $1.piece.price }) \(average)"
                + " \(pieces.map(\.piece.shelf).min() ?? -1)"
                + " \(pieces.compactMap(\.piece.note).max() ?? "-")"
        default: return members(asked, of: museum)
        }
    }

    private static func group(
        _ shelf: Int, _ pieces: [(number: Int, piece: PlainMuseum.Piece)]
    ) -> [Double] {
        [
            Double(shelf), Double(pieces.count), pieces.reduce(0) { $0 + $1.piece.weight },
            Double(pieces.map(\.number).max() ?? -1),
        ]
    }

    private func members(_ asked: Asked, of museum: PlainMuseum) -> String {
        guard let hall = museum.halls[asked.choice % 6] else { return "none" }
        if self == .memberList { return Self.text(hall.members) + " \(hall.members.count)" }
        var question = asked.question
        question.kind = .exhibit
        let found = question.matching(in: museum).map(\.number).filter(hall.members.contains)
            .dropFirst(question.offset)
        return Self.text(Array(asked.question.limit.map { found.prefix($0) } ?? found))
    }
}
