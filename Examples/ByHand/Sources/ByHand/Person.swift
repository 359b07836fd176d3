import RecordStack

final class Person: ManagedObject {
    private var _email: String
    private var _age: Int?
    private var _team: Int64

    var email: String {
        get {
            willAccessValue()
            return _email
        }
        set {
            willChangeValue(at: 0, from: _email)
            _email = newValue
        }
    }
    var age: Int? {
        get {
            willAccessValue()
            return _age
        }
        set {
            willChangeValue(at: 1, from: _age)
            _age = newValue
        }
    }
    var team: Team? {
        get {
            willAccessValue()
            return toOne(at: 2, key: _team)
        }
        set { _team = changeToOne(at: 2, to: newValue) }
    }

    override class var entityDescription: EntityDescription { storedDescription }
    override class var slotCount: Int { 3 }
    override class var relationshipCount: Int { 1 }

    private static let storedDescription = EntityDescription(
        name: "Person", type: Person.self, properties: properties(of: Person.self))

    static func properties<Root: Person>(of root: Root.Type) -> [PropertyDescription] {
        ManagedObject.properties(of: root) + [
            .attribute(\Root.email, "email", .unique),
            .attribute(\Root.age, "age", .imported(from: "profile.age"), .range(0...150)),
            .toOne(\Root.team, "team", inverse: \Team.members),
        ]
    }

    override class var lifeCycleHooks: LifeCycleHooks { super.lifeCycleHooks.union([.willSave]) }

    override func willSave() {
        if email != email.lowercased() { email = email.lowercased() }
    }

    required init(row: borrowing RowCells, seed: ObjectSeed) {
        _email = String.read(row, at: 0)
        _age = Optional<Int>.read(row, at: 1)
        _team = row.key(at: 2)
        super.init(row: row, seed: seed)
    }

    required init(seed: ObjectSeed) {
        _email = String.placeholder
        _age = nil
        _team = 0
        super.init(seed: seed)
    }

    override class func make(row: borrowing RowCells, seed: ObjectSeed) -> ManagedObject {
        Person(row: row, seed: seed)
    }

    override func load(_ row: borrowing RowCells) {
        _email = String.read(row, at: 0)
        _age = Optional<Int>.read(row, at: 1)
        _team = row.key(at: 2)
    }

    override func load(_ row: borrowing RowCells, slots: SlotSet) {
        if slots.contains(0) { _email = String.read(row, at: 0) }
        if slots.contains(1) { _age = Optional<Int>.read(row, at: 1) }
        if slots.contains(2) { _team = row.key(at: 2) }
    }

    override func write(to writer: inout CellWriter) {
        _email.write(to: &writer)
        _age.write(to: &writer)
        writer.append(key: _team)
    }

    override func storedValue(at slot: Int) -> StoredValue {
        switch slot {
        case 0: _email.storedValue
        case 1: _age.storedValue
        case 2: _team == 0 ? .null : .integer(_team)
        default: super.storedValue(at: slot)
        }
    }
}
