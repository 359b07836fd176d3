// Written by `swift package write-entities`. Edit Entities/Page.swift instead.
// swift-format-ignore-file
// @exclusivity(unchecked): accessors read or replace one value, in their isolation.

import RecordStack

final class Page: ManagedObject {
    var path: String {
        get {
            willAccessValue(RecordAccess.self)
            return _path
        }
        set {
            willSetValue(RecordAccess.self)
            willChangeValue(at: RecordSlot.path, from: _path)
            _path = newValue
        }
    }
    var title: String {
        get {
            willAccessValue(RecordAccess.self)
            return _title
        }
        set {
            willSetValue(RecordAccess.self)
            willChangeValue(at: RecordSlot.title, from: _title)
            _title = newValue
        }
    }
    var visits: ToMany<Visit> {
        get {
            ToMany<Visit>(of: self, at: RecordSlot.visits)
        }
    }

    override func willSave() {
        if title.isEmpty { title = path }
    }

    @exclusivity(unchecked) private final var _path: String

    @exclusivity(unchecked) private final var _title: String

    private enum RecordSlot {
        static var path: Int {
            0
        }
        static var title: Int {
            1
        }
        static var visits: Int {
            0
        }
    }

    override class var slotCount: Int {
        2
    }

    override class var relationshipCount: Int {
        1
    }

    static func properties<Root: Page>(
        of root: Root.Type
    ) -> [PropertyDescription] {
        let own: [PropertyDescription] = [
            AttributeStorage<String>.property(\Root.path, "path", .unique),
            AttributeStorage<String>.property(\Root.title, "title", default: ""),
            .toMany(\Root.visits, "visits", to: Visit.self, deleteRule: .cascade)
        ]
        return ManagedObject.properties(of: root) + own
    }

    override class var entityDescription: EntityDescription {
        storedDescription
    }

    private static let storedDescription = EntityDescription(
        name: "Page", type: Page.self,
        properties: properties(of: Page.self)
    )

    override class var lifeCycleHooks: LifeCycleHooks {
        super.lifeCycleHooks.union([.willSave])
    }

    required init(row: borrowing RowCells, seed: ObjectSeed) {
        _path = AttributeStorage<String>.read(row, at: 0)
        _title = AttributeStorage<String>.read(row, at: 1)
        super.init(row: row, seed: seed)
    }

    required init(seed: ObjectSeed) {
        _path = AttributeStorage<String>.placeholder
        _title = seed.isNew ? "" : AttributeStorage<String>.placeholder
        super.init(seed: seed)
    }

    override class func make(row: borrowing RowCells, seed: ObjectSeed) -> ManagedObject {
        Page(row: row, seed: seed)
    }

    override func load(_ row: borrowing RowCells) {
        _path = AttributeStorage<String>.read(row, at: 0)
        _title = AttributeStorage<String>.read(row, at: 1)
    }

    override func load(_ row: borrowing RowCells, slots: SlotSet) {
        if slots.contains(0) {
            _path = AttributeStorage<String>.read(row, at: 0)
        }
        if slots.contains(1) {
            _title = AttributeStorage<String>.read(row, at: 1)
        }
    }

    override func write(to writer: inout CellWriter) {
        AttributeStorage<String>.write(_path, to: &writer)
        AttributeStorage<String>.write(_title, to: &writer)
    }

    override func storedValue(at slot: Int) -> StoredValue {
        switch slot {
        case 0:
            return AttributeStorage<String>.storedValue(of: _path)
        case 1:
            return AttributeStorage<String>.storedValue(of: _title)
        default:
            return super.storedValue(at: slot)
        }
    }

    /// Creates an object with these values.
    @discardableResult
    static func create(
        in context: ManagedObjectContext, path: String, title: String = ""
    ) throws -> Self {
        let object = try context.create(Self.self)
        object.path = path
        object.title = title
        return object
    }

    /// Creates an object with these values in the main actor's default context.
    @discardableResult
    @MainActor static func create(path: String, title: String = "") throws -> Self {
        try create(
            in: ContextStack.requireDefaultContext(), path: path, title: title)
    }
}
