import RecordStack

/// A list of delete rules as a type, so each combination has its own class.
protocol RuleList: SendableMetatype {
    static var rules: [DeleteRule] { get }
}

enum Nullifies: RuleList {
    static var rules: [DeleteRule] { [.nullify] }
}
enum Cascades: RuleList {
    static var rules: [DeleteRule] { [.cascade] }
}
enum Denies: RuleList {
    static var rules: [DeleteRule] { [.deny] }
}
enum DoesNothing: RuleList {
    static var rules: [DeleteRule] { [.noAction] }
}
enum Chain<First: RuleList, Rest: RuleList>: RuleList {
    static var rules: [DeleteRule] { First.rules + Rest.rules }
}

/// The relationships of a ``Knot``, in the order in which they are declared.
enum Strand: Int, CaseIterable {
    case parent, children, next, previous, likes, likedBy, steps, stepOf, aim, marks, peers

    var isToOne: Bool { slot != nil }

    /// The slot of a to-one relationship's key.
    var slot: Int? {
        switch self {
        case .parent: 1
        case .next: 2
        case .previous: 3
        case .stepOf: 4
        case .aim: 5
        default: nil
        }
    }

    var inverse: Strand? {
        switch self {
        case .parent: .children
        case .children: .parent
        case .next: .previous
        case .previous: .next
        case .likes: .likedBy
        case .likedBy: .likes
        case .steps: .stepOf
        case .stepOf: .steps
        case .aim, .marks: nil
        case .peers: .peers
        }
    }
}

/// An entity with relationships of every kind to itself. It is written by hand, so its delete rules
/// can vary.
final class Knot<List: RuleList>: ManagedObject {
    private var _number: Int
    private var keys: [Int64]

    var number: Int {
        get {
            willAccessValue()
            return _number
        }
        set {
            willChangeValue(at: 0, from: _number)
            _number = newValue
        }
    }

    /// Returns the object at the other end of a to-one relationship.
    func end(_ strand: Strand) -> Knot? {
        willAccessValue()
        return toOne(at: strand.slot!, key: keys[strand.slot! - 1])
    }
    func lead(_ strand: Strand, to other: Knot?) {
        keys[strand.slot! - 1] = changeToOne(at: strand.slot!, to: other)
    }

    var parent: Knot? { end(.parent) }
    var next: Knot? { end(.next) }
    var previous: Knot? { end(.previous) }
    var stepOf: Knot? { end(.stepOf) }
    var aim: Knot? { end(.aim) }
    var children: ToMany<Knot> { many(.children) }
    var likes: ToMany<Knot> { many(.likes) }
    var likedBy: ToMany<Knot> { many(.likedBy) }
    var marks: ToMany<Knot> { many(.marks) }
    var peers: ToMany<Knot> { many(.peers) }
    var steps: OrderedToMany<Knot> { OrderedToMany(of: self, at: Strand.steps.rawValue) }
    func many(_ strand: Strand) -> ToMany<Knot> { ToMany(of: self, at: strand.rawValue) }

    override class var slotCount: Int { 6 }
    override class var relationshipCount: Int { Strand.allCases.count }
    override class var entityDescription: EntityDescription {
        func rule(_ strand: Strand) -> DeleteRule { List.rules[strand.rawValue] }
        return EntityDescription(
            name: "Knot", type: Knot.self,
            properties: [
                .attribute(\Knot.number, "number", .unique),
                .toOne(\Knot.parent, "parent", deleteRule: rule(.parent), inverse: \Knot.children),
                .toMany(
                    \Knot.children, "children", to: Knot.self, deleteRule: rule(.children)),
                .toOne(\Knot.next, "next", deleteRule: rule(.next), inverse: \Knot.previous),
                .toOne(\Knot.previous, "previous", deleteRule: rule(.previous)),
                .toMany(
                    \Knot.likes, "likes", to: Knot.self, deleteRule: rule(.likes),
                    inverse: \Knot.likedBy),
                .toMany(\Knot.likedBy, "likedBy", to: Knot.self, deleteRule: rule(.likedBy)),
                .toMany(\Knot.steps, "steps", to: Knot.self, deleteRule: rule(.steps)),
                .toOne(\Knot.stepOf, "stepOf", deleteRule: rule(.stepOf), inverse: \Knot.steps),
                .toOne(\Knot.aim, "aim", .oneWay, deleteRule: rule(.aim)),
                .toMany(\Knot.marks, "marks", to: Knot.self, deleteRule: rule(.marks)),
                .toMany(
                    \Knot.peers, "peers", to: Knot.self, .symmetric, deleteRule: rule(.peers)),
            ])
    }

    required init(row: borrowing RowCells, seed: ObjectSeed) {
        _number = Int.read(row, at: 0)
        keys = []
        for slot in 1...5 { keys.append(row.key(at: slot)) }
        super.init(row: row, seed: seed)
    }
    required init(seed: ObjectSeed) {
        _number = 0
        keys = [0, 0, 0, 0, 0]
        super.init(seed: seed)
    }
    override func load(_ row: borrowing RowCells) {
        _number = Int.read(row, at: 0)
        for slot in 1...5 { keys[slot - 1] = row.key(at: slot) }
    }
    override func load(_ row: borrowing RowCells, slots: SlotSet) {
        if slots.contains(0) { _number = Int.read(row, at: 0) }
        for slot in 1...5 where slots.contains(slot) { keys[slot - 1] = row.key(at: slot) }
    }
    override func write(to writer: inout CellWriter) {
        _number.write(to: &writer)
        for key in keys { writer.append(key: key) }
    }
    override func storedValue(at slot: Int) -> StoredValue {
        slot == 0 ? _number.storedValue : keys[slot - 1] == 0 ? .null : .integer(keys[slot - 1])
    }
}
