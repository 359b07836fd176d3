import RecordStack
import TestSupport

/// A random request: entity, filter, order and window.
struct Question: CustomStringConvertible {
    var kind = PlainMuseum.Kind.exhibit
    var filter: PlainFilter?
    var order: [Order] = []
    var limit: Int?
    var offset = 0

    enum Order: CaseIterable {
        case shelf, shelfDown, code, note, noteDownNullsFirst, price, priceDown, weightDown, epoch
        case numberDown, floor
    }

    static func random(_ random: inout Seeded) -> Question {
        var question = Question()
        if random.chance(20) { question.kind = random.chance(60) ? .painting : .statue }
        if random.chance(85) { question.filter = .random(&random) }
        for _ in 0..<random.below(3) {
            question.order.append(Order.allCases.randomElement(using: &random)!)
        }
        if random.chance(45) { question.limit = random.below(6) }
        if random.chance(25) { question.offset = random.below(5) }
        return question
    }

    func request<Entity: Exhibit>(
        _ type: Entity.Type, _ halls: [Int: ManagedObjectID]
    ) -> FetchRequest<Entity> {
        FetchRequest(
            filter: filter?.filter(FilterProxy<Entity>(), halls),
            sortKeys: order.map { $0.sortKey() }, limit: limit, offset: offset)
    }

    /// Returns the matching exhibits in order, ignoring the window.
    func matching(in museum: PlainMuseum) -> [(number: Int, piece: PlainMuseum.Piece)] {
        let found = museum.inKeyOrder.filter { number, piece in
            (kind == .exhibit || piece.kind == kind)
                && filter?.isTrue(piece, number, in: museum) ?? true
        }
        // Equal elements keep the order of their keys.
        return found.enumerated().sorted { left, right in
            for key in order {
                let (a, b) = (
                    key.rank(left.element.piece, left.element.number, museum),
                    key.rank(right.element.piece, right.element.number, museum)
                )
                if a != b { return a.lexicographicallyPrecedes(b) }
            }
            return left.offset < right.offset
        }.map(\.element)
    }

    /// Returns the exhibits in the window.
    func answer(in museum: PlainMuseum) -> [(number: Int, piece: PlainMuseum.Piece)] {
        let rest = matching(in: museum).dropFirst(offset)
        return Array(limit.map { rest.prefix($0) } ?? rest)
    }

    /// The request without its window.
    var unlimited: Question {
        var question = self
        (question.limit, question.offset) = (nil, 0)
        return question
    }

    var description: String {
        "\(kind) where \(filter?.description ?? "all") by \(order)"
            + (limit.map { " limit \($0)" } ?? "") + (offset > 0 ? " offset \(offset)" : "")
    }
}

extension Question.Order {
    func sortKey<Entity: Exhibit>() -> SortKey<Entity> {
        switch self {
        case .shelf: .ascending(\.shelf)
        case .shelfDown: .descending(\.shelf)
        case .code: .ascending(\.code)
        case .note: .ascending(\.note)
        case .noteDownNullsFirst: .descending(\.note, nulls: .first)
        case .price: .ascending(\.price)
        case .priceDown: .descending(\.price)
        case .weightDown: .descending(\.weight)
        case .epoch: .ascending(\.epoch)
        case .numberDown: .descending(\.number)
        case .floor: .ascending { $0.wing.floor }
        }
    }

    /// Returns numbers whose lexicographic order is the sort order.
    func rank(
        _ piece: PlainMuseum.Piece, _ number: Int, _ museum: PlainMuseum
    ) -> [Int] {
        switch self {
        case .shelf: [piece.shelf]
        case .shelfDown: [-piece.shelf]
        case .code: Self.rank(piece.code)
        case .note: piece.note.map { [1] + Self.rank($0) } ?? [0]
        case .noteDownNullsFirst: piece.note.map { [1] + Self.rankDown($0) } ?? [0]
        case .price: [piece.price]
        case .priceDown: [-piece.price]
        case .weightDown: [Int(-piece.weight * 2)]
        case .epoch: piece.epoch.map { [1] + Self.rank($0.rawValue) } ?? [0]
        case .numberDown: [-number]
        case .floor: piece.wing.map { [1, museum.halls[$0]!.floor] } ?? [0]
        }
    }

    private static func rank(_ text: String) -> [Int] { text.utf8.map { Int($0) } }
    /// Sorts longer texts first.
    private static func rankDown(_ text: String) -> [Int] { text.utf8.map { -Int($0) } + [1] }
}
