import TestSupport

/// The next step of a thread, drawn in advance because blocks on other threads cannot use the
/// random numbers.
struct StressStep: Sendable {
    enum Kind: CaseIterable {
        case edit, ask, nest, save, make, delete, child, block, completion, fresh, root, own
    }

    let kind: Kind
    let room: Int
    let otherRoom: Int
    let place: Int
    let number: Int

    init(_ random: inout Seeded, rooms: Int, places: Int) {
        kind = Self.kinds[random.below(Self.kinds.count)]
        room = random.below(rooms)
        otherRoom = random.below(rooms)
        place = random.below(places)
        number = random.below(1_000)
    }

    /// The kinds, each as often as its weight.
    private static let kinds: [Kind] = Kind.allCases.flatMap {
        Array(repeating: $0, count: $0.weight)
    }
}

extension StressStep.Kind {
    fileprivate var weight: Int {
        switch self {
        case .edit: 30
        case .ask: 20
        case .nest, .own: 8
        case .save, .make: 6
        case .child, .fresh: 5
        case .delete: 4
        case .block, .completion: 3
        case .root: 2
        }
    }
}
