import FoundationEssentials
import RecordStack
import TestSupport

/// A filter that the library and plain Swift evaluate.
indirect enum PlainFilter: CustomStringConvertible {
    case term(Term)
    case both(PlainFilter, PlainFilter)
    case either(PlainFilter, PlainFilter)
    case not(PlainFilter)

    enum Term {
        case shelf(Int), shelves([Int]), shelfBelow(Int), shelfFrom(Int, to: Int)
        case code(String), codeBegins(String)
        case note(String?), noteIs(not: String)
        case price(Int), priceFrom(Int)
        case weightBelow(Double)
        case epoch(Epoch?)
        case isLent
        case numbers([Int])
        // Conditions across relationships.
        case wing(Int?), floor(Int), wingName(String), themeRanksAbove(Int), themeCount(Int)
        case wingHasShelf(Int), wingCount(Int)
    }

    func isTrue(_ piece: PlainMuseum.Piece, _ number: Int, in museum: PlainMuseum) -> Bool {
        switch self {
        case .term(let term): term.isTrue(piece, number, in: museum)
        case .both(let a, let b):
            a.isTrue(piece, number, in: museum) && b.isTrue(piece, number, in: museum)
        case .either(let a, let b):
            a.isTrue(piece, number, in: museum) || b.isTrue(piece, number, in: museum)
        case .not(let a): !a.isTrue(piece, number, in: museum)
        }
    }

    /// - Parameter halls: the IDs of the wings by number.
    func filter<Entity: Exhibit>(
        _ exhibit: FilterProxy<Entity>, _ halls: [Int: ManagedObjectID]
    ) -> Filter {
        switch self {
        case .term(let term): term.filter(exhibit, halls)
        case .both(let a, let b): a.filter(exhibit, halls) && b.filter(exhibit, halls)
        case .either(let a, let b): a.filter(exhibit, halls) || b.filter(exhibit, halls)
        case .not(let a): !a.filter(exhibit, halls)
        }
    }

    var description: String {
        switch self {
        case .term(let term): "\(term)"
        case .both(let a, let b): "(\(a) && \(b))"
        case .either(let a, let b): "(\(a) || \(b))"
        case .not(let a): "!\(a)"
        }
    }

    /// The terms of the conjunction.
    var conjuncts: [PlainFilter] {
        if case .both(let a, let b) = self { return a.conjuncts + b.conjuncts }
        return [self]
    }
}

extension PlainFilter.Term {
    func isTrue(_ piece: PlainMuseum.Piece, _ number: Int, in museum: PlainMuseum) -> Bool {
        let hall = piece.wing.map { museum.halls[$0]! }
        return switch self {
        case .shelf(let shelf): piece.shelf == shelf
        case .shelves(let shelves): shelves.contains(piece.shelf)
        case .shelfBelow(let shelf): piece.shelf < shelf
        case .shelfFrom(let low, let high): piece.shelf >= low && piece.shelf <= high
        case .code(let code): piece.code == code
        case .codeBegins(let text): piece.code.hasPrefix(text)
        case .note(let note): piece.note == note
        case .noteIs(let note): piece.note != note
        case .price(let price): piece.price == price
        case .priceFrom(let price): piece.price >= price
        case .weightBelow(let weight): piece.weight < weight
        case .epoch(let epoch): piece.epoch == epoch
        case .isLent: piece.isLent
        case .numbers(let numbers): numbers.contains(number)
        case .wing(let wing): piece.wing == wing
        case .floor(let floor): hall?.floor == floor
        case .wingName(let name): hall?.name == name
        case .themeRanksAbove(let rank): piece.themes.contains { museum.ranks[$0]! > rank }
        case .themeCount(let count): piece.themes.count == count
        case .wingHasShelf(let shelf):
            hall?.members.contains { museum.pieces[$0]!.shelf == shelf } ?? false
        case .wingCount(let count): (hall?.members.count ?? 0) > count
        }
    }

    func filter<Entity: Exhibit>(
        _ exhibit: FilterProxy<Entity>, _ halls: [Int: ManagedObjectID]
    ) -> Filter {
        switch self {
        case .shelf(let shelf): exhibit.shelf == shelf
        case .shelves(let shelves): exhibit.shelf.isIn(shelves)
        case .shelfBelow(let shelf): exhibit.shelf < shelf
        case .shelfFrom(let low, let high): exhibit.shelf.isBetween(low...high)
        case .code(let code): exhibit.code == code
        case .codeBegins(let text): exhibit.code.hasPrefix(text)
        case .note(let note): exhibit.note == note
        case .noteIs(let note): exhibit.note != note
        case .price(let price): exhibit.price == Self.decimal(price)
        case .priceFrom(let price): exhibit.price >= Self.decimal(price)
        case .weightBelow(let weight): exhibit.weight < weight
        case .epoch(let epoch): exhibit.epoch == epoch
        case .isLent: exhibit.isLent.filter
        case .numbers(let numbers): exhibit.number.isIn(numbers)
        case .wing(nil): exhibit.wing == nil
        case .wing(let wing?):
            halls[wing].map { exhibit.wing == $0 } ?? (exhibit.wing.number == wing)
        case .floor(let floor): exhibit.wing.floor == floor
        case .wingName(let name): exhibit.wing.name == name
        case .themeRanksAbove(let rank): exhibit.themes.any { $0.rank > rank }
        case .themeCount(let count): exhibit.themes.count == count
        case .wingHasShelf(let shelf): exhibit.wing.exhibits.any { $0.shelf == shelf }
        case .wingCount(let count): exhibit.wing.exhibits.count > count
        }
    }

    /// Converts quarters to a decimal number.
    static func decimal(_ price: Int) -> Decimal { Decimal(price) / 4 }
}

extension PlainFilter {
    static func random(_ random: inout Seeded, depth: Int = 2) -> PlainFilter {
        if depth > 0 && random.chance(55) {
            let a = Self.random(&random, depth: depth - 1)
            switch random.below(5) {
            case 0, 1, 2: return .both(a, Self.random(&random, depth: depth - 1))
            case 3: return .either(a, Self.random(&random, depth: depth - 1))
            default: return .not(a)
            }
        }
        return .term(.random(&random))
    }
}

extension PlainFilter.Term {
    /// Prefers terms that an index can answer.
    static func random(_ random: inout Seeded) -> Self {
        switch random.below(26) {
        case 0...4: .shelf(Pool.shelf(&random))
        case 5: .shelves([Pool.shelf(&random), Pool.shelf(&random), 99])
        case 6: .shelfBelow(Pool.shelf(&random))
        case 7: .shelfFrom(1, to: 1 + random.below(3))
        case 8, 9: .code(Pool.text(&random))
        case 10: .codeBegins(Pool.text(&random))
        case 11: .note(random.chance(50) ? nil : Pool.text(&random))
        case 12: .noteIs(not: Pool.text(&random))
        case 13: .price(Pool.price(&random))
        case 14: .priceFrom(Pool.price(&random))
        case 15: .weightBelow(Pool.weight(&random))
        case 16, 17: .epoch(Pool.epoch(&random))
        case 18: .isLent
        case 19: .numbers((0..<4).map { _ in random.below(30) })
        case 20: .wing(random.chance(25) ? nil : 1 + random.below(Pool.halls))
        case 21: .floor(random.below(3))
        case 22: .wingName(Pool.text(&random))
        case 23:
            random.chance(50) ? .themeRanksAbove(random.below(4)) : .themeCount(random.below(3))
        case 24: .wingHasShelf(Pool.shelf(&random))
        default: .wingCount(random.below(4))
        }
    }
}

/// Small pools of values, so that equal values are common.
enum Pool {
    static let halls = 4
    static let themes = 3

    static func shelf(_ random: inout Seeded) -> Int { random.below(5) }
    static func price(_ random: inout Seeded) -> Int { random.below(7) - 2 }
    static func weight(_ random: inout Seeded) -> Double { Double(random.below(5)) / 2 }
    static func text(_ random: inout Seeded) -> String {
        ["", "a", "A", "ab", "é", "b"].randomElement(using: &random)!
    }
    static func note(_ random: inout Seeded) -> String? {
        random.chance(40) ? nil : text(&random)
    }
    static func epoch(_ random: inout Seeded) -> Epoch? {
        random.chance(25) ? nil : Epoch.allCases.randomElement(using: &random)
    }
}
