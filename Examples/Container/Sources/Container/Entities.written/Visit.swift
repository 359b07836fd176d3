// Written by `swift package write-entities`. Edit Entities/Visit.swift instead.
// swift-format-ignore-file
// @exclusivity(unchecked): accessors read or replace one value, in their isolation.

import FoundationEssentials
import RecordStack

/// A visit to a page.
final class Visit: ManagedObject {
    var date: Date {
        get {
            willAccessValue(RecordAccess.self)
            return _date
        }
        set {
            willSetValue(RecordAccess.self)
            willChangeValue(at: RecordSlot.date, from: _date)
            _date = newValue
        }
    }
    var kind: Kind {
        get {
            willAccessValue(RecordAccess.self)
            return _kind
        }
        set {
            willSetValue(RecordAccess.self)
            willChangeValue(at: RecordSlot.kind, from: _kind)
            _kind = newValue
        }
    }
    private(set) var note: String? {
        get {
            willAccessValue(RecordAccess.self)
            return _note
        }
        set {
            willSetValue(RecordAccess.self)
            willChangeValue(at: RecordSlot.note, from: _note)
            _note = newValue
        }
    }
    var page: Page? {
        get {
            willAccessValue(RecordAccess.self)
            return toOne(at: RecordSlot.page, key: _page)
        }
        set {
            _page = changeToOne(at: RecordSlot.page, to: newValue)
        }
    }

    enum Kind: String, EnumAttributeValue {
        case reader, robot
    }

    /// Sets the note to the text without extra spaces, or to nil if there is no other text.
    func write(_ text: String) {
        let words = text.split(separator: " ")
        note = words.isEmpty ? nil : words.joined(separator: " ")
    }

    @exclusivity(unchecked) private final var _date: Date

    @exclusivity(unchecked) private final var _kind: Kind

    @exclusivity(unchecked) private final var _note: String?

    @exclusivity(unchecked) private final var _page: Int64

    private enum RecordSlot {
        static var date: Int {
            0
        }
        static var kind: Int {
            1
        }
        static var note: Int {
            2
        }
        static var page: Int {
            3
        }
    }

    override class var slotCount: Int {
        4
    }

    override class var relationshipCount: Int {
        1
    }

    static func properties<Root: Visit>(
        of root: Root.Type
    ) -> [PropertyDescription] {
        let own: [PropertyDescription] = [
            AttributeStorage<Date>.property(\Root.date, "date"),
            AttributeStorage<Kind>.property(\Root.kind, "kind", default: .reader),
            AttributeStorage<String?>.property(\Root.note, "note"),
            .toOne(\Root.page, "page", .required, inverse: \Page.visits)
        ]
        return ManagedObject.properties(of: root) + own
    }

    override class var entityDescription: EntityDescription {
        storedDescription
    }

    private static let storedDescription = EntityDescription(
        name: "Visit", type: Visit.self,
        properties: properties(of: Visit.self), options: [.indexed(\Visit.date)]
    )

    required init(row: borrowing RowCells, seed: ObjectSeed) {
        _date = AttributeStorage<Date>.read(row, at: 0)
        _kind = AttributeStorage<Kind>.read(row, at: 1)
        _note = AttributeStorage<String?>.read(row, at: 2)
        _page = row.key(at: 3)
        super.init(row: row, seed: seed)
    }

    required init(seed: ObjectSeed) {
        _date = AttributeStorage<Date>.placeholder
        _kind = seed.isNew ? .reader : AttributeStorage<Kind>.placeholder
        _note = AttributeStorage<String?>.placeholder
        _page = 0
        super.init(seed: seed)
    }

    override class func make(row: borrowing RowCells, seed: ObjectSeed) -> ManagedObject {
        Visit(row: row, seed: seed)
    }

    override func load(_ row: borrowing RowCells) {
        _date = AttributeStorage<Date>.read(row, at: 0)
        _kind = AttributeStorage<Kind>.read(row, at: 1)
        _note = AttributeStorage<String?>.read(row, at: 2)
        _page = row.key(at: 3)
    }

    override func load(_ row: borrowing RowCells, slots: SlotSet) {
        if slots.contains(0) {
            _date = AttributeStorage<Date>.read(row, at: 0)
        }
        if slots.contains(1) {
            _kind = AttributeStorage<Kind>.read(row, at: 1)
        }
        if slots.contains(2) {
            _note = AttributeStorage<String?>.read(row, at: 2)
        }
        if slots.contains(3) {
            _page = row.key(at: 3)
        }
    }

    override func write(to writer: inout CellWriter) {
        AttributeStorage<Date>.write(_date, to: &writer)
        AttributeStorage<Kind>.write(_kind, to: &writer)
        AttributeStorage<String?>.write(_note, to: &writer)
        writer.append(key: _page)
    }

    override func storedValue(at slot: Int) -> StoredValue {
        switch slot {
        case 0:
            return AttributeStorage<Date>.storedValue(of: _date)
        case 1:
            return AttributeStorage<Kind>.storedValue(of: _kind)
        case 2:
            return AttributeStorage<String?>.storedValue(of: _note)
        case 3:
            return _page == 0 ? .null : .integer(_page)
        default:
            return super.storedValue(at: slot)
        }
    }

    /// Creates an object with these values.
    @discardableResult
    static func create(
        in context: ManagedObjectContext, date: Date, kind: Kind = .reader, note: String? = nil, page: Page
    ) throws -> Self {
        let object = try context.create(Self.self)
        object.date = date
        object.kind = kind
        if let note {
            object.note = note
        }
        object.page = page
        return object
    }

    /// Creates an object with these values in the main actor's default context.
    @discardableResult
    @MainActor static func create(date: Date, kind: Kind = .reader, note: String? = nil, page: Page) throws -> Self {
        try create(
            in: ContextStack.requireDefaultContext(), date: date, kind: kind, note: note, page: page)
    }
}
