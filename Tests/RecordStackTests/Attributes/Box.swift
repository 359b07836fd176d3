import RecordStack
import Synchronization

/// An entity with one type of value, required and optional. It is written by hand because the macro
/// does not support generic classes.
final class Box<Value: AttributeValue>: ManagedObject {
    private var _number: Int
    private var _value: Value
    private var _maybe: Value?

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
    var value: Value {
        get {
            willAccessValue()
            return _value
        }
        set {
            willChangeValue(at: 1, from: _value)
            _value = newValue
        }
    }
    var maybe: Value? {
        get {
            willAccessValue()
            return _maybe
        }
        set {
            willChangeValue(at: 2, from: _maybe)
            _maybe = newValue
        }
    }

    override class var entityDescription: EntityDescription {
        boxDescriptions.description(of: Self.self) {
            EntityDescription(name: "Box", type: Self.self, properties: properties(of: Self.self))
        }
    }
    override class var slotCount: Int { 3 }
    override class var relationshipCount: Int { 0 }

    static func properties<Root: Box<Value>>(of root: Root.Type) -> [PropertyDescription] {
        ManagedObject.properties(of: root) + [
            .attribute(\Root.number, "number", .unique),
            .attribute(\Root.value, "value", .indexed),
            .attribute(\Root.maybe, "maybe"),
        ]
    }

    required init(row: borrowing RowCells, seed: ObjectSeed) {
        _number = Int.read(row, at: 0)
        _value = Value.read(row, at: 1)
        _maybe = Value?.read(row, at: 2)
        super.init(row: row, seed: seed)
    }

    required init(seed: ObjectSeed) {
        _number = Int.placeholder
        _value = Value.placeholder
        _maybe = nil
        super.init(seed: seed)
    }

    override class func make(row: borrowing RowCells, seed: ObjectSeed) -> ManagedObject {
        Self(row: row, seed: seed)
    }

    override func load(_ row: borrowing RowCells) {
        _number = Int.read(row, at: 0)
        _value = Value.read(row, at: 1)
        _maybe = Value?.read(row, at: 2)
    }

    override func load(_ row: borrowing RowCells, slots: SlotSet) {
        if slots.contains(0) { _number = Int.read(row, at: 0) }
        if slots.contains(1) { _value = Value.read(row, at: 1) }
        if slots.contains(2) { _maybe = Value?.read(row, at: 2) }
    }

    override func write(to writer: inout CellWriter) {
        _number.write(to: &writer)
        _value.write(to: &writer)
        _maybe.write(to: &writer)
    }

    override func storedValue(at slot: Int) -> StoredValue {
        switch slot {
        case 0: _number.storedValue
        case 1: _value.storedValue
        case 2: _maybe.storedValue
        default: super.storedValue(at: slot)
        }
    }
}

/// A table of entity descriptions, because a generic class has no stored type properties.
final class DescriptionTable: Sendable {
    private let descriptions = Mutex<[ObjectIdentifier: EntityDescription]>([:])

    func description(
        of type: ManagedObject.Type, _ make: () -> EntityDescription
    ) -> EntityDescription {
        descriptions.withLock { table in
            let key = ObjectIdentifier(type)
            if let known = table[key] { return known }
            let description = make()
            table[key] = description
            return description
        }
    }
}

private let boxDescriptions = DescriptionTable()
