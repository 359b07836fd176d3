import RecordStack

/// The entities of `MacroHooks`, written by hand.
enum HandHooks: HookTwin {
    class Singer: ManagedObject {
        private var _name: String
        private var _number: Int
        private var _code: String?
        private var _greeting = "-"
        private var _choir: Int64

        var name: String {
            get {
                willAccessValue(AwakingAccess.self)
                return _name
            }
            set {
                willSetValue(AwakingAccess.self)
                willChangeValue(at: 0, from: _name)
                _name = newValue
            }
        }
        var number: Int {
            get {
                willAccessValue(AwakingAccess.self)
                return _number
            }
            set {
                willSetValue(AwakingAccess.self)
                willChangeValue(at: 1, from: _number)
                _number = newValue
            }
        }
        var code: String? {
            get {
                willAccessValue(AwakingAccess.self)
                return _code
            }
            set {
                willSetValue(AwakingAccess.self)
                willChangeValue(at: 2, from: _code)
                _code = newValue
            }
        }
        var greeting: String {
            get {
                willAccessValue(AwakingAccess.self)
                return _greeting
            }
            set {
                willSetValue(AwakingAccess.self)
                _greeting = newValue
            }
        }
        var choir: Choir? {
            get {
                willAccessValue(AwakingAccess.self)
                return toOne(at: 3, key: _choir)
            }
            set { _choir = changeToOne(at: 3, to: newValue) }
        }

        override class var entityDescription: EntityDescription { singerDescription }
        override class var slotCount: Int { 4 }
        override class var relationshipCount: Int { 1 }

        private static let singerDescription = EntityDescription(
            name: "Singer", type: Singer.self, properties: properties(of: Singer.self))

        static func properties<Root: Singer>(of root: Root.Type) -> [PropertyDescription] {
            ManagedObject.properties(of: root) + [
                .attribute(\Root.name, "name", default: "new"),
                .attribute(\Root.number, "number", default: 0),
                .attribute(\Root.code, "code", .unique),
                .toOne(\Root.choir, "choir", inverse: \Choir.members),
            ]
        }

        required init(row: borrowing RowCells, seed: ObjectSeed) {
            _name = String.read(row, at: 0)
            _number = Int.read(row, at: 1)
            _code = Optional<String>.read(row, at: 2)
            _choir = row.key(at: 3)
            super.init(row: row, seed: seed)
        }

        required init(seed: ObjectSeed) {
            _name = seed.isNew ? "new" : String.placeholder
            _number = 0
            _code = nil
            _choir = 0
            super.init(seed: seed)
        }

        override class func make(row: borrowing RowCells, seed: ObjectSeed) -> ManagedObject {
            Singer(row: row, seed: seed)
        }

        override func load(_ row: borrowing RowCells) {
            _greeting = "-"
            _name = String.read(row, at: 0)
            _number = Int.read(row, at: 1)
            _code = Optional<String>.read(row, at: 2)
            _choir = row.key(at: 3)
        }

        override func load(_ row: borrowing RowCells, slots: SlotSet) {
            if slots.contains(0) { _name = String.read(row, at: 0) }
            if slots.contains(1) { _number = Int.read(row, at: 1) }
            if slots.contains(2) { _code = Optional<String>.read(row, at: 2) }
            if slots.contains(3) { _choir = row.key(at: 3) }
        }

        override func write(to writer: inout CellWriter) {
            _name.write(to: &writer)
            _number.write(to: &writer)
            _code.write(to: &writer)
            writer.append(key: _choir)
        }

        override func storedValue(at slot: Int) -> StoredValue {
            switch slot {
            case 0: _name.storedValue
            case 1: _number.storedValue
            case 2: _code.storedValue
            case 3: _choir == 0 ? .null : .integer(_choir)
            default: super.storedValue(at: slot)
            }
        }

        override class var lifeCycleHooks: LifeCycleHooks {
            super.lifeCycleHooks.union([
                .awakeFromInsert, .awakeFromFetch, .willSave, .didSave, .prepareForDeletion,
                .validateForInsert, .validateForUpdate, .validateForDelete,
            ])
        }

        override func awakeFromInsert() { note("awakeFromInsert") }
        override func awakeFromFetch() { note("awakeFromFetch") }
        override func willSave() { note("willSave") }
        override func didSave() { note("didSave") }
        override func prepareForDeletion() { note("prepareForDeletion") }
        override func validateForInsert() throws { try check("validateForInsert") }
        override func validateForUpdate() throws { try check("validateForUpdate") }
        override func validateForDelete() throws { try check("validateForDelete") }

        private func check(_ hook: String) throws {
            try HookJournal.note(hook, of: self, named: name)
        }

        private func note(_ hook: String) { try? check(hook) }
    }

    final class Soloist: Singer {
        private var _voice: String

        private static let first = Singer.slotCount

        var voice: String {
            get {
                willAccessValue(AwakingAccess.self)
                return _voice
            }
            set {
                willSetValue(AwakingAccess.self)
                willChangeValue(at: Self.first, from: _voice)
                _voice = newValue
            }
        }

        override class var entityDescription: EntityDescription { soloistDescription }
        override class var slotCount: Int { Singer.slotCount + 1 }
        override class var relationshipCount: Int { Singer.relationshipCount }

        private static let soloistDescription = EntityDescription(
            name: "Soloist", type: Soloist.self, superentity: Singer.entityDescription,
            properties: properties(of: Soloist.self))

        static func properties<Root: Soloist>(of root: Root.Type) -> [PropertyDescription] {
            Singer.properties(of: root) + [.attribute(\Root.voice, "voice", default: "alto")]
        }

        required init(row: borrowing RowCells, seed: ObjectSeed) {
            _voice = String.read(row, at: Self.first)
            super.init(row: row, seed: seed)
        }

        required init(seed: ObjectSeed) {
            _voice = seed.isNew ? "alto" : String.placeholder
            super.init(seed: seed)
        }

        override class func make(row: borrowing RowCells, seed: ObjectSeed) -> ManagedObject {
            Soloist(row: row, seed: seed)
        }

        override func load(_ row: borrowing RowCells) {
            super.load(row)
            _voice = String.read(row, at: Self.first)
        }

        override func load(_ row: borrowing RowCells, slots: SlotSet) {
            super.load(row, slots: slots)
            if slots.contains(Self.first) { _voice = String.read(row, at: Self.first) }
        }

        override func write(to writer: inout CellWriter) {
            super.write(to: &writer)
            _voice.write(to: &writer)
        }

        override func storedValue(at slot: Int) -> StoredValue {
            slot == Self.first ? _voice.storedValue : super.storedValue(at: slot)
        }
    }

    final class Choir: ManagedObject {
        private var _title: String
        private var _seats: Int

        var title: String {
            get {
                willAccessValue(AwakingAccess.self)
                return _title
            }
            set {
                willSetValue(AwakingAccess.self)
                willChangeValue(at: 0, from: _title)
                _title = newValue
            }
        }
        var seats: Int {
            get {
                willAccessValue(AwakingAccess.self)
                return _seats
            }
            set {
                willSetValue(AwakingAccess.self)
                willChangeValue(at: 1, from: _seats)
                _seats = newValue
            }
        }
        var members: ToMany<Singer> { ToMany(of: self, at: 0) }

        override class var entityDescription: EntityDescription { choirDescription }
        override class var slotCount: Int { 2 }
        override class var relationshipCount: Int { 1 }

        private static let choirDescription = EntityDescription(
            name: "Choir", type: Choir.self, properties: properties(of: Choir.self))

        static func properties<Root: Choir>(of root: Root.Type) -> [PropertyDescription] {
            ManagedObject.properties(of: root) + [
                .attribute(\Root.title, "title", default: "new"),
                .attribute(\Root.seats, "seats", default: 10),
                .toMany(\Root.members, "members", to: Singer.self),
            ]
        }

        required init(row: borrowing RowCells, seed: ObjectSeed) {
            _title = String.read(row, at: 0)
            _seats = Int.read(row, at: 1)
            super.init(row: row, seed: seed)
        }

        required init(seed: ObjectSeed) {
            _title = seed.isNew ? "new" : String.placeholder
            _seats = seed.isNew ? 10 : Int.placeholder
            super.init(seed: seed)
        }

        override class func make(row: borrowing RowCells, seed: ObjectSeed) -> ManagedObject {
            Choir(row: row, seed: seed)
        }

        override func load(_ row: borrowing RowCells) {
            _title = String.read(row, at: 0)
            _seats = Int.read(row, at: 1)
        }

        override func load(_ row: borrowing RowCells, slots: SlotSet) {
            if slots.contains(0) { _title = String.read(row, at: 0) }
            if slots.contains(1) { _seats = Int.read(row, at: 1) }
        }

        override func write(to writer: inout CellWriter) {
            _title.write(to: &writer)
            _seats.write(to: &writer)
        }

        override func storedValue(at slot: Int) -> StoredValue {
            switch slot {
            case 0: _title.storedValue
            case 1: _seats.storedValue
            default: super.storedValue(at: slot)
            }
        }

        override class var lifeCycleHooks: LifeCycleHooks {
            super.lifeCycleHooks.union([.awakeFromFetch, .willSave, .prepareForDeletion])
        }

        override func awakeFromFetch() { note("awakeFromFetch") }
        override func prepareForDeletion() { note("prepareForDeletion") }
        override func willSave() { note("willSave") }

        private func note(_ hook: String) { try? HookJournal.note(hook, of: self, named: title) }
    }
}

extension HandHooks.Singer: SingerValues {
    var group: ManagedObject? {
        get { choir }
        set { choir = newValue as? HandHooks.Choir }
    }
}

extension HandHooks.Soloist: SoloistValues {}

extension HandHooks.Choir: ChoirValues {
    var singers: [ManagedObject] { Array(members) }
}
