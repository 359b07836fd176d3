import RecordStack
import Synchronization

/// A role that a name has.
enum NameRole: CaseIterable {
    case entity, table, unique, indexed, relationship, property
}

/// An entity whose description changes while the tests run.
final class Nasty: ManagedObject {
    private var _mark: String
    private var _number: Int
    private var _partner: Int64

    var mark: String {
        get {
            willAccessValue()
            return _mark
        }
        set {
            willChangeValue(at: 0, from: _mark)
            _mark = newValue
        }
    }
    var number: Int {
        get {
            willAccessValue()
            return _number
        }
        set {
            willChangeValue(at: 1, from: _number)
            _number = newValue
        }
    }
    var partner: Nasty? {
        get {
            willAccessValue()
            return toOne(at: 2, key: _partner)
        }
        set { _partner = changeToOne(at: 2, to: newValue) }
    }
    var partners: ToMany<Nasty> { ToMany(of: self, at: 1) }

    /// The description that the class has from now on. Its tests run one after another.
    static let description = Mutex(describe("Nasty", as: .entity))

    override class var entityDescription: EntityDescription { description.withLock { $0 } }
    override class var slotCount: Int { 3 }
    override class var relationshipCount: Int { 2 }

    /// Returns a description with a name in one role, and ordinary names in the others.
    static func describe(_ name: String, as role: NameRole) -> EntityDescription {
        let mark: PropertyDescription =
            switch role {
            case .unique: .attribute(\Nasty.mark, "mark", .unique, .stored(as: name))
            case .indexed: .attribute(\Nasty.mark, "mark", .indexed, .stored(as: name))
            case .property: .attribute(\Nasty.mark, name, .unique, .stored(as: "column"))
            default: .attribute(\Nasty.mark, "mark", .unique)
            }
        let partner = role == .relationship ? name : "partner"
        return EntityDescription(
            name: role == .entity ? name : "Nasty", type: Nasty.self,
            properties: [
                mark, .attribute(\Nasty.number, "number", default: 0),
                .toOne(\Nasty.partner, "partner", .stored(as: partner), inverse: \Nasty.partners),
                .toMany(\Nasty.partners, "partners", to: Nasty.self),
            ],
            options: [.indexed(\Nasty.mark, \Nasty.number)]
                + (role == .table ? [.stored(as: name)] : []))
    }

    required init(row: borrowing RowCells, seed: ObjectSeed) {
        _mark = String.read(row, at: 0)
        _number = Int.read(row, at: 1)
        _partner = row.key(at: 2)
        super.init(row: row, seed: seed)
    }

    required init(seed: ObjectSeed) {
        _mark = String.placeholder
        _number = 0
        _partner = 0
        super.init(seed: seed)
    }

    override class func make(row: borrowing RowCells, seed: ObjectSeed) -> ManagedObject {
        Nasty(row: row, seed: seed)
    }

    override func load(_ row: borrowing RowCells) {
        _mark = String.read(row, at: 0)
        _number = Int.read(row, at: 1)
        _partner = row.key(at: 2)
    }

    override func load(_ row: borrowing RowCells, slots: SlotSet) {
        if slots.contains(0) { _mark = String.read(row, at: 0) }
        if slots.contains(1) { _number = Int.read(row, at: 1) }
        if slots.contains(2) { _partner = row.key(at: 2) }
    }

    override func write(to writer: inout CellWriter) {
        _mark.write(to: &writer)
        _number.write(to: &writer)
        writer.append(key: _partner)
    }

    override func storedValue(at slot: Int) -> StoredValue {
        switch slot {
        case 0: _mark.storedValue
        case 1: _number.storedValue
        case 2: _partner == 0 ? .null : .integer(_partner)
        default: super.storedValue(at: slot)
        }
    }
}
