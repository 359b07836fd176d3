import RecordStack

/// An entity with an attribute of every legal name.
final class Crowd: ManagedObject {
    private var values: [String]

    subscript(slot: Int) -> String {
        get {
            willAccessValue()
            return values[slot]
        }
        set {
            willChangeValue(at: slot, from: values[slot])
            values[slot] = newValue
        }
    }

    static let names: [String] = {
        var seen: Set<String> = []
        return NastyNames.all.filter {
            !$0.isEmpty && !$0.utf8.contains(0) && $0.utf8.first != UInt8(ascii: "_")
                && seen.insert($0.lowercased()).inserted
        }
    }()

    private static let storedDescription = EntityDescription(
        name: "Crowd", type: Crowd.self,
        properties: names.enumerated().map { slot, name in
            .attribute(\Crowd[slot], name, .indexed, default: "")
        })

    override class var entityDescription: EntityDescription { storedDescription }
    override class var slotCount: Int { names.count }
    override class var relationshipCount: Int { 0 }

    required init(row: borrowing RowCells, seed: ObjectSeed) {
        values = Self.names.indices.map { _ in "" }
        super.init(row: row, seed: seed)
        load(row)
    }

    required init(seed: ObjectSeed) {
        values = Self.names.map { _ in "" }
        super.init(seed: seed)
    }

    override class func make(row: borrowing RowCells, seed: ObjectSeed) -> ManagedObject {
        Crowd(row: row, seed: seed)
    }

    override func load(_ row: borrowing RowCells) {
        for slot in values.indices { values[slot] = String.read(row, at: slot) }
    }

    override func load(_ row: borrowing RowCells, slots: SlotSet) {
        for slot in values.indices where slots.contains(slot) {
            values[slot] = String.read(row, at: slot)
        }
    }

    override func write(to writer: inout CellWriter) {
        for value in values { value.write(to: &writer) }
    }

    override func storedValue(at slot: Int) -> StoredValue { values[slot].storedValue }
}
