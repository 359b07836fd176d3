import RecordStack

final class Team: ManagedObject {
    private var _title: String
    private var _rank: Int

    var title: String {
        get {
            willAccessValue()
            return _title
        }
        set {
            willChangeValue(at: 0, from: _title)
            _title = newValue
        }
    }
    var rank: Int {
        get {
            willAccessValue()
            return _rank
        }
        set {
            willChangeValue(at: 1, from: _rank)
            _rank = newValue
        }
    }
    var members: ToMany<Person> { ToMany(of: self, at: 0) }

    override class var entityDescription: EntityDescription { storedDescription }
    override class var slotCount: Int { 2 }
    override class var relationshipCount: Int { 1 }

    private static let storedDescription = EntityDescription(
        name: "Team", type: Team.self, properties: properties(of: Team.self))

    static func properties<Root: Team>(of root: Root.Type) -> [PropertyDescription] {
        ManagedObject.properties(of: root) + [
            .attribute(\Root.title, "title", .unique),
            .attribute(\Root.rank, "rank", default: 1),
            .toMany(\Root.members, "members", to: Person.self),
        ]
    }

    required init(row: borrowing RowCells, seed: ObjectSeed) {
        _title = String.read(row, at: 0)
        _rank = Int.read(row, at: 1)
        super.init(row: row, seed: seed)
    }

    required init(seed: ObjectSeed) {
        _title = String.placeholder
        _rank = seed.isNew ? 1 : Int.placeholder
        super.init(seed: seed)
    }

    override class func make(row: borrowing RowCells, seed: ObjectSeed) -> ManagedObject {
        Team(row: row, seed: seed)
    }

    override func load(_ row: borrowing RowCells) {
        _title = String.read(row, at: 0)
        _rank = Int.read(row, at: 1)
    }

    override func load(_ row: borrowing RowCells, slots: SlotSet) {
        if slots.contains(0) { _title = String.read(row, at: 0) }
        if slots.contains(1) { _rank = Int.read(row, at: 1) }
    }

    override func write(to writer: inout CellWriter) {
        _title.write(to: &writer)
        _rank.write(to: &writer)
    }

    override func storedValue(at slot: Int) -> StoredValue {
        switch slot {
        case 0: _title.storedValue
        case 1: _rank.storedValue
        default: super.storedValue(at: slot)
        }
    }
}
