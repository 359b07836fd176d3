import FoundationEssentials
import RecordStack
import TestSupport

/// An object that an edit changes. No two contexts change the same object.
enum Touched: Hashable, Sendable {
    case exhibit(Int), wing(Int), theme(Int)
}

/// Applies the same random edit to a context and to a plain museum.
struct MuseumEditor {
    let context: ManagedObjectContext
    /// The objects that other contexts have changed.
    let taboo: Set<Touched>
    var random: Seeded
    var museum: PlainMuseum
    var touched: Set<Touched> = []
    /// The exhibits with changed attributes and unchanged relationships.
    var edited: Set<Int> = []
    var nextNumber: Int
    var log = ""

    init(
        _ context: ManagedObjectContext, _ museum: PlainMuseum, taboo: Set<Touched>,
        random: Seeded, nextNumber: Int
    ) {
        self.context = context
        self.museum = museum
        self.taboo = taboo
        self.random = random
        self.nextNumber = nextNumber
    }

    mutating func apply(_ kind: QuestionStep.Kind) throws {
        switch kind {
        case .create: try create()
        case .edit: try edit()
        case .editWing: try editWing()
        case .editTheme: try editTheme()
        case .relate, .place: try relate(isPlaced: kind == .place)
        case .mark: try mark()
        case .delete: try delete()
        case .createWing: try createWing()
        case .deleteWing: try deleteWing()
        case .upsert: try upsert()
        case .importRows: try importRows()
        case .copy: try copy()
        case .findOrCreate: try findOrCreate()
        default: preconditionFailure("\(kind) is no edit")
        }
    }

    // MARK: Choosing objects

    mutating func exhibit(
        _ isWanted: (PlainMuseum.Piece) -> Bool = { _ in true }
    ) -> Int? {
        let free = museum.pieces.filter {
            !taboo.contains(.exhibit($0.key)) && isWanted($0.value)
        }.keys.sorted()
        return free.isEmpty ? nil : free[random.below(free.count)]
    }

    mutating func wing() -> Int? {
        let free = museum.halls.keys.filter { !taboo.contains(.wing($0)) }.sorted()
        return free.isEmpty ? nil : free[random.below(free.count)]
    }

    func object(_ number: Int) throws -> Exhibit {
        guard let object = try Exhibit.findFirst(by: \.number, number, in: context) else {
            throw QuestionFailure(description: "exhibit \(number) is missing")
        }
        return object
    }

    func wingObject(_ number: Int) throws -> Wing {
        guard let object = try Wing.findFirst(by: \.number, number, in: context) else {
            throw QuestionFailure(description: "wing \(number) is missing")
        }
        return object
    }

    mutating func takeNumber() -> Int {
        defer { nextNumber += 1 }
        return nextNumber
    }
}
