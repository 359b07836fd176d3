import Foundation
import RecordStack
import RecordStackModel
import Synchronization

/// The descriptions of the entities of random schemas, by type.
private let descriptions = Mutex<[ObjectIdentifier: EntityDescription]>([:])

/// An entity of a random schema. Each schema has its own type, which consists of the types of its
/// attributes and a tag.
final class Sketch<A: AttributeValue, B: AttributeValue, Tag: Sendable>: ManagedObject {
    private var _id: Int
    private var _part: String
    private var _need: String
    private var _a: A?
    private var _b: B?
    private var _parent: Int64

    var id: Int {
        get { value(of: _id) }
        set { set(&_id, newValue, at: 0) }
    }
    var part: String {
        get { value(of: _part) }
        set { set(&_part, newValue, at: 1) }
    }
    var need: String {
        get { value(of: _need) }
        set { set(&_need, newValue, at: 2) }
    }
    var a: A? {
        get { value(of: _a) }
        set { set(&_a, newValue, at: 3) }
    }
    var b: B? {
        get { value(of: _b) }
        set { set(&_b, newValue, at: 4) }
    }
    var parent: Sketch? {
        get {
            willAccessValue()
            return toOne(at: 5, key: _parent)
        }
        set { _parent = changeToOne(at: 5, to: newValue) }
    }
    var list: OrderedToMany<Sketch> { OrderedToMany(of: self, at: 1) }

    private func value<Value>(of value: Value) -> Value {
        willAccessValue()
        return value
    }

    private func set<Value: AttributeValue>(_ place: inout Value, _ value: Value, at slot: Int) {
        willChangeValue(at: slot, from: place)
        place = value
    }

    override class var entityDescription: EntityDescription {
        descriptions.withLock { $0[ObjectIdentifier(self)]! }
    }
    override class var slotCount: Int { 6 }
    override class var relationshipCount: Int { 2 }

    /// Declares the entity. Call this once, before any other use of the type.
    static func declare(_ schema: SketchSchema) {
        let (need, a, b) = (schema.need, schema.a, schema.b)
        let isComposite = schema.isComposite
        let partDefault = schema.partDefault
        var properties: [PropertyDescription] = [
            isComposite
                ? .attribute(\Sketch.id, "id", .imported(from: schema.idKey))
                : .attribute(\Sketch.id, "id", .unique, .imported(from: schema.idKey)),
            .attribute(\Sketch.part, "part", default: partDefault),
            need.preset == nil
                ? .attribute(\Sketch.need, "need", need.importedOption, need.rulesOption)
                : .attribute(
                    \Sketch.need, "need", need.importedOption, need.rulesOption,
                    default: String(storedValue: need.preset!)!),
        ]
        properties.append(
            a.preset == nil
                ? .attribute(\Sketch.a, "a", a.importedOption, a.rulesOption, a.formatOption)
                : .attribute(
                    \Sketch.a, "a", a.importedOption, a.rulesOption, a.formatOption,
                    default: A(storedValue: a.preset!)))
        properties.append(
            b.preset == nil
                ? .attribute(\Sketch.b, "b", b.importedOption, b.rulesOption, b.formatOption)
                : .attribute(
                    \Sketch.b, "b", b.importedOption, b.rulesOption, b.formatOption,
                    default: B(storedValue: b.preset!)))
        properties.append(.toOne(\Sketch.parent, "parent", .oneWay))
        properties.append(
            .toMany(
                \Sketch.list, "list", to: Sketch.self,
                .importing(members: schema.replaces ? .replace : .add)))
        let name = "Sketch"
        let description =
            isComposite
            ? EntityDescription(
                name: name, type: Sketch.self, properties: properties,
                options: [.unique(\Sketch.id, \Sketch.part)])
            : EntityDescription(name: name, type: Sketch.self, properties: properties)
        descriptions.withLock { $0[ObjectIdentifier(Sketch.self)] = description }
        presets.withLock {
            $0[ObjectIdentifier(Sketch.self)] = (need.preset, a.preset, b.preset, partDefault)
        }
    }

    required init(row: borrowing RowCells, seed: ObjectSeed) {
        _id = Int.read(row, at: 0)
        _part = String.read(row, at: 1)
        _need = String.read(row, at: 2)
        _a = Optional<A>.read(row, at: 3)
        _b = Optional<B>.read(row, at: 4)
        _parent = row.key(at: 5)
        super.init(row: row, seed: seed)
    }

    required init(seed: ObjectSeed) {
        let presets = presets.withLock { $0[ObjectIdentifier(Sketch.self)]! }
        let isNew = seed.isNew
        _id = Int.placeholder
        _part = isNew ? presets.part : String.placeholder
        _need = isNew ? presets.need.flatMap { String(storedValue: $0) } ?? "" : ""
        _a = isNew ? presets.a.flatMap { A(storedValue: $0) } : nil
        _b = isNew ? presets.b.flatMap { B(storedValue: $0) } : nil
        _parent = 0
        super.init(seed: seed)
    }

    override class func make(row: borrowing RowCells, seed: ObjectSeed) -> ManagedObject {
        Sketch(row: row, seed: seed)
    }

    override func load(_ row: borrowing RowCells) { load(row, slots: SlotSet(all: 6)) }

    override func load(_ row: borrowing RowCells, slots: SlotSet) {
        if slots.contains(0) { _id = Int.read(row, at: 0) }
        if slots.contains(1) { _part = String.read(row, at: 1) }
        if slots.contains(2) { _need = String.read(row, at: 2) }
        if slots.contains(3) { _a = Optional<A>.read(row, at: 3) }
        if slots.contains(4) { _b = Optional<B>.read(row, at: 4) }
        if slots.contains(5) { _parent = row.key(at: 5) }
    }

    override func write(to writer: inout CellWriter) {
        _id.write(to: &writer)
        _part.write(to: &writer)
        _need.write(to: &writer)
        _a.write(to: &writer)
        _b.write(to: &writer)
        writer.append(key: _parent)
    }

    override func storedValue(at slot: Int) -> StoredValue {
        switch slot {
        case 0: _id.storedValue
        case 1: _part.storedValue
        case 2: _need.storedValue
        case 3: _a.storedValue
        case 4: _b.storedValue
        case 5: _parent == 0 ? .null : .integer(_parent)
        default: super.storedValue(at: slot)
        }
    }
}

/// The default values of these entities.
private let presets = Mutex<
    [ObjectIdentifier: (need: StoredValue?, a: StoredValue?, b: StoredValue?, part: String)]
>([:])

extension SketchField {
    var importedOption: AttributeOption {
        switch keys.count {
        case 0: .importing()
        case 1: .imported(from: keys[0])
        case 2: .imported(from: keys[0], keys[1])
        default: .imported(from: keys[0], keys[1], keys[2])
        }
    }

    var rulesOption: AttributeOption {
        .importing(null: null, absent: absent, value: value, fallback: fallback)
    }

    var formatOption: AttributeOption {
        switch formats.count {
        case 0: .importing()
        case 1: .dateFormat(formats[0])
        default: .dateFormat(formats[0], formats[1])
        }
    }
}
