import Foundation
import RecordStack

/// The entities of `MacroEntities`, written by hand.
enum HandEntities {
    class Author: ManagedObject {
        private var _email: String
        private var _name: String
        private var _age: Int?
        private var _rating: Double
        private var _joined: Date?
        private var _isActive: Bool
        private var _status: Status
        private var _tags: [String]
        private var _league: Int64

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
        var name: String {
            get {
                willAccessValue()
                return _name
            }
            set {
                willChangeValue(at: 1, from: _name)
                _name = newValue
            }
        }
        var age: Int? {
            get {
                willAccessValue()
                return _age
            }
            set {
                willChangeValue(at: 2, from: _age)
                _age = newValue
            }
        }
        var rating: Double {
            get {
                willAccessValue()
                return _rating
            }
            set {
                willChangeValue(at: 3, from: _rating)
                _rating = newValue
            }
        }
        var joined: Date? {
            get {
                willAccessValue()
                return _joined
            }
            set {
                willChangeValue(at: 4, from: _joined)
                _joined = newValue
            }
        }
        var isActive: Bool {
            get {
                willAccessValue()
                return _isActive
            }
            set {
                willChangeValue(at: 5, from: _isActive)
                _isActive = newValue
            }
        }
        var status: Status {
            get {
                willAccessValue()
                return _status
            }
            set {
                willChangeValue(at: 6, from: _status)
                _status = newValue
            }
        }
        var tags: [String] {
            get {
                willAccessValue()
                return _tags
            }
            set {
                willChangeValue(at: 7, from: _tags)
                _tags = newValue
            }
        }
        var league: League? {
            get {
                willAccessValue()
                return toOne(at: 8, key: _league)
            }
            set { _league = changeToOne(at: 8, to: newValue) }
        }

        override class var entityDescription: EntityDescription { authorDescription }
        override class var slotCount: Int { 9 }
        override class var relationshipCount: Int { 1 }

        private static let authorDescription = EntityDescription(
            name: "Author", type: Author.self, properties: properties(of: Author.self),
            options: [.indexed(\Author.name, \Author.age)])

        static func properties<Root: Author>(of root: Root.Type) -> [PropertyDescription] {
            ManagedObject.properties(of: root) + [
                .attribute(\Root.email, "email", .unique, .imported(from: "contact.mail", "email")),
                .attribute(
                    \Root.name, "name", .imported(from: "full_name", "name"), default: "nobody"),
                .attribute(\Root.age, "age"),
                .attribute(\Root.rating, "rating", .stored(as: "stars"), default: 1.5),
                .attribute(\Root.joined, "joined", .dateFormat(.pattern("dd.MM.yyyy"))),
                .attribute(\Root.isActive, "isActive", default: true),
                .attribute(\Root.status, "status", default: .draft),
                .attribute(\Root.tags, "tags", default: []),
                .toOne(\Root.league, "league", inverse: \League.members),
            ]
        }

        required init(row: borrowing RowCells, seed: ObjectSeed) {
            _email = String.read(row, at: 0)
            _name = String.read(row, at: 1)
            _age = Optional<Int>.read(row, at: 2)
            _rating = Double.read(row, at: 3)
            _joined = Optional<Date>.read(row, at: 4)
            _isActive = Bool.read(row, at: 5)
            _status = Status.read(row, at: 6)
            _tags = [String].read(row, at: 7)
            _league = row.key(at: 8)
            super.init(row: row, seed: seed)
        }

        required init(seed: ObjectSeed) {
            _email = String.placeholder
            _name = seed.isNew ? "nobody" : String.placeholder
            _age = nil
            _rating = seed.isNew ? 1.5 : Double.placeholder
            _joined = nil
            _isActive = seed.isNew ? true : Bool.placeholder
            _status = seed.isNew ? .draft : Status.placeholder
            _tags = seed.isNew ? [] : [String].placeholder
            _league = 0
            super.init(seed: seed)
        }

        override class func make(row: borrowing RowCells, seed: ObjectSeed) -> ManagedObject {
            Author(row: row, seed: seed)
        }

        override func load(_ row: borrowing RowCells) {
            _email = String.read(row, at: 0)
            _name = String.read(row, at: 1)
            _age = Optional<Int>.read(row, at: 2)
            _rating = Double.read(row, at: 3)
            _joined = Optional<Date>.read(row, at: 4)
            _isActive = Bool.read(row, at: 5)
            _status = Status.read(row, at: 6)
            _tags = [String].read(row, at: 7)
            _league = row.key(at: 8)
        }

        override func load(_ row: borrowing RowCells, slots: SlotSet) {
            if slots.contains(0) { _email = String.read(row, at: 0) }
            if slots.contains(1) { _name = String.read(row, at: 1) }
            if slots.contains(2) { _age = Optional<Int>.read(row, at: 2) }
            if slots.contains(3) { _rating = Double.read(row, at: 3) }
            if slots.contains(4) { _joined = Optional<Date>.read(row, at: 4) }
            if slots.contains(5) { _isActive = Bool.read(row, at: 5) }
            if slots.contains(6) { _status = Status.read(row, at: 6) }
            if slots.contains(7) { _tags = [String].read(row, at: 7) }
            if slots.contains(8) { _league = row.key(at: 8) }
        }

        override func write(to writer: inout CellWriter) {
            _email.write(to: &writer)
            _name.write(to: &writer)
            _age.write(to: &writer)
            _rating.write(to: &writer)
            _joined.write(to: &writer)
            _isActive.write(to: &writer)
            _status.write(to: &writer)
            _tags.write(to: &writer)
            writer.append(key: _league)
        }

        override func storedValue(at slot: Int) -> StoredValue {
            switch slot {
            case 0: _email.storedValue
            case 1: _name.storedValue
            case 2: _age.storedValue
            case 3: _rating.storedValue
            case 4: _joined.storedValue
            case 5: _isActive.storedValue
            case 6: _status.storedValue
            case 7: _tags.storedValue
            case 8: _league == 0 ? .null : .integer(_league)
            default: super.storedValue(at: slot)
            }
        }
    }

    final class Editor: Author {
        private var _desk: String
        private var _level: Int

        private static let first = Author.slotCount

        var desk: String {
            get {
                willAccessValue()
                return _desk
            }
            set {
                willChangeValue(at: Self.first, from: _desk)
                _desk = newValue
            }
        }
        var level: Int {
            get {
                willAccessValue()
                return _level
            }
            set {
                willChangeValue(at: Self.first + 1, from: _level)
                _level = newValue
            }
        }

        override class var entityDescription: EntityDescription { editorDescription }
        override class var slotCount: Int { Author.slotCount + 2 }
        override class var relationshipCount: Int { Author.relationshipCount }

        private static let editorDescription = EntityDescription(
            name: "Editor", type: Editor.self, superentity: Author.entityDescription,
            properties: properties(of: Editor.self))

        static func properties<Root: Editor>(of root: Root.Type) -> [PropertyDescription] {
            Author.properties(of: root) + [
                .attribute(\Root.desk, "desk"), .attribute(\Root.level, "level", default: 3),
            ]
        }

        required init(row: borrowing RowCells, seed: ObjectSeed) {
            _desk = String.read(row, at: Self.first)
            _level = Int.read(row, at: Self.first + 1)
            super.init(row: row, seed: seed)
        }

        required init(seed: ObjectSeed) {
            _desk = String.placeholder
            _level = seed.isNew ? 3 : Int.placeholder
            super.init(seed: seed)
        }

        override class func make(row: borrowing RowCells, seed: ObjectSeed) -> ManagedObject {
            Editor(row: row, seed: seed)
        }

        override func load(_ row: borrowing RowCells) {
            super.load(row)
            _desk = String.read(row, at: Self.first)
            _level = Int.read(row, at: Self.first + 1)
        }

        override func load(_ row: borrowing RowCells, slots: SlotSet) {
            super.load(row, slots: slots)
            if slots.contains(Self.first) { _desk = String.read(row, at: Self.first) }
            if slots.contains(Self.first + 1) { _level = Int.read(row, at: Self.first + 1) }
        }

        override func write(to writer: inout CellWriter) {
            super.write(to: &writer)
            _desk.write(to: &writer)
            _level.write(to: &writer)
        }

        override func storedValue(at slot: Int) -> StoredValue {
            switch slot {
            case Self.first: _desk.storedValue
            case Self.first + 1: _level.storedValue
            default: super.storedValue(at: slot)
            }
        }
    }

    final class League: ManagedObject {
        private var _title: String

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
        var members: ToMany<Author> { ToMany(of: self, at: 0) }

        override class var entityDescription: EntityDescription { leagueDescription }
        override class var slotCount: Int { 1 }
        override class var relationshipCount: Int { 1 }

        private static let leagueDescription = EntityDescription(
            name: "League", type: League.self, properties: properties(of: League.self))

        static func properties<Root: League>(of root: Root.Type) -> [PropertyDescription] {
            ManagedObject.properties(of: root) + [
                .attribute(\Root.title, "title", .unique),
                .toMany(\Root.members, "members", to: Author.self),
            ]
        }

        required init(row: borrowing RowCells, seed: ObjectSeed) {
            _title = String.read(row, at: 0)
            super.init(row: row, seed: seed)
        }

        required init(seed: ObjectSeed) {
            _title = String.placeholder
            super.init(seed: seed)
        }

        override class func make(row: borrowing RowCells, seed: ObjectSeed) -> ManagedObject {
            League(row: row, seed: seed)
        }

        override func load(_ row: borrowing RowCells) { _title = String.read(row, at: 0) }

        override func load(_ row: borrowing RowCells, slots: SlotSet) {
            if slots.contains(0) { _title = String.read(row, at: 0) }
        }

        override func write(to writer: inout CellWriter) { _title.write(to: &writer) }

        override func storedValue(at slot: Int) -> StoredValue {
            slot == 0 ? _title.storedValue : super.storedValue(at: slot)
        }
    }
}

extension HandEntities.Author: TwinAuthor {
    typealias League = HandEntities.League
}

extension HandEntities.Editor: TwinEditor {}

extension HandEntities.League: TwinLeague {
    typealias Author = HandEntities.Author
}

enum HandTwin: Twin {
    typealias Author = HandEntities.Author
    typealias Editor = HandEntities.Editor
    typealias League = HandEntities.League

    static var author: AuthorPaths<Author, League> {
        AuthorPaths(
            email: \.email, name: \.name, age: \.age, rating: \.rating, joined: \.joined,
            isActive: \.isActive, status: \.status, tags: \.tags, league: \.league)
    }
    static var editor: EditorPaths<Editor> {
        EditorPaths(email: \.email, age: \.age, desk: \.desk, level: \.level)
    }
    static var league: ReferenceWritableKeyPath<League, String> { \.title }
}
