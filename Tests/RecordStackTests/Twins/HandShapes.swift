import RecordStack

/// The entities of `MacroShapes`, written by hand.
enum HandShapes {
    class Shape: ManagedObject {
        private var _name: String
        private var _layer: Int
        private var _board: Int64

        var name: String {
            get {
                willAccessValue()
                return _name
            }
            set {
                willChangeValue(at: 0, from: _name)
                _name = newValue
            }
        }
        var layer: Int {
            get {
                willAccessValue()
                return _layer
            }
            set {
                willChangeValue(at: 1, from: _layer)
                _layer = newValue
            }
        }
        var board: Board? {
            get {
                willAccessValue()
                return toOne(at: 2, key: _board)
            }
            set { _board = changeToOne(at: 2, to: newValue) }
        }

        override class var entityDescription: EntityDescription { shapeDescription }
        override class var slotCount: Int { 3 }
        override class var relationshipCount: Int { 1 }

        private static let shapeDescription = EntityDescription(
            name: "Shape", type: Shape.self, properties: properties(of: Shape.self),
            options: [.abstract, .indexed(\Shape.layer, \Shape.name), .stored(as: "shapes")])

        static func properties<Root: Shape>(of root: Root.Type) -> [PropertyDescription] {
            ManagedObject.properties(of: root) + [
                .attribute(\Root.name, "name", default: "unnamed"),
                .attribute(\Root.layer, "layer"),
                .toOne(\Root.board, "board", inverse: \Board.shapes),
            ]
        }

        required init(row: borrowing RowCells, seed: ObjectSeed) {
            _name = String.read(row, at: 0)
            _layer = Int.read(row, at: 1)
            _board = row.key(at: 2)
            super.init(row: row, seed: seed)
        }

        required init(seed: ObjectSeed) {
            _name = seed.isNew ? "unnamed" : String.placeholder
            _layer = Int.placeholder
            _board = 0
            super.init(seed: seed)
        }

        override func load(_ row: borrowing RowCells) {
            _name = String.read(row, at: 0)
            _layer = Int.read(row, at: 1)
            _board = row.key(at: 2)
        }

        override func load(_ row: borrowing RowCells, slots: SlotSet) {
            if slots.contains(0) { _name = String.read(row, at: 0) }
            if slots.contains(1) { _layer = Int.read(row, at: 1) }
            if slots.contains(2) { _board = row.key(at: 2) }
        }

        override func write(to writer: inout CellWriter) {
            _name.write(to: &writer)
            _layer.write(to: &writer)
            writer.append(key: _board)
        }

        override func storedValue(at slot: Int) -> StoredValue {
            switch slot {
            case 0: _name.storedValue
            case 1: _layer.storedValue
            case 2: _board == 0 ? .null : .integer(_board)
            default: super.storedValue(at: slot)
            }
        }
    }

    class Disc: Shape {
        private var _radius: Double

        private static let first = Shape.slotCount

        var radius: Double {
            get {
                willAccessValue()
                return _radius
            }
            set {
                willChangeValue(at: Self.first, from: _radius)
                _radius = newValue
            }
        }

        override class var entityDescription: EntityDescription { discDescription }
        override class var slotCount: Int { Shape.slotCount + 1 }
        override class var relationshipCount: Int { Shape.relationshipCount }

        // An inherited property may be named by the superclass's key path.
        private static let discDescription = EntityDescription(
            name: "Disc", type: Disc.self, superentity: Shape.entityDescription,
            properties: properties(of: Disc.self), options: [.unique(\Shape.name, \Disc.radius)])

        static func properties<Root: Disc>(of root: Root.Type) -> [PropertyDescription] {
            Shape.properties(of: root) + [.attribute(\Root.radius, "radius", default: 1)]
        }

        required init(row: borrowing RowCells, seed: ObjectSeed) {
            _radius = Double.read(row, at: Self.first)
            super.init(row: row, seed: seed)
        }

        required init(seed: ObjectSeed) {
            _radius = seed.isNew ? 1 : Double.placeholder
            super.init(seed: seed)
        }

        override class func make(row: borrowing RowCells, seed: ObjectSeed) -> ManagedObject {
            self.init(row: row, seed: seed)
        }

        override func load(_ row: borrowing RowCells) {
            super.load(row)
            _radius = Double.read(row, at: Self.first)
        }

        override func load(_ row: borrowing RowCells, slots: SlotSet) {
            super.load(row, slots: slots)
            if slots.contains(Self.first) { _radius = Double.read(row, at: Self.first) }
        }

        override func write(to writer: inout CellWriter) {
            super.write(to: &writer)
            _radius.write(to: &writer)
        }

        override func storedValue(at slot: Int) -> StoredValue {
            slot == Self.first ? _radius.storedValue : super.storedValue(at: slot)
        }
    }

    final class Ring: Disc {
        private var _hole: Double

        private static let first = Disc.slotCount

        var hole: Double {
            get {
                willAccessValue()
                return _hole
            }
            set {
                willChangeValue(at: Self.first, from: _hole)
                _hole = newValue
            }
        }

        override class var entityDescription: EntityDescription { ringDescription }
        override class var slotCount: Int { Disc.slotCount + 1 }
        override class var relationshipCount: Int { Disc.relationshipCount }

        private static let ringDescription = EntityDescription(
            name: "Ring", type: Ring.self, superentity: Disc.entityDescription,
            properties: properties(of: Ring.self))

        static func properties<Root: Ring>(of root: Root.Type) -> [PropertyDescription] {
            Disc.properties(of: root) + [
                .attribute(\Root.hole, "hole", .stored(as: "inner_radius"))
            ]
        }

        required init(row: borrowing RowCells, seed: ObjectSeed) {
            _hole = Double.read(row, at: Self.first)
            super.init(row: row, seed: seed)
        }

        required init(seed: ObjectSeed) {
            _hole = Double.placeholder
            super.init(seed: seed)
        }

        override class func make(row: borrowing RowCells, seed: ObjectSeed) -> ManagedObject {
            Ring(row: row, seed: seed)
        }

        override func load(_ row: borrowing RowCells) {
            super.load(row)
            _hole = Double.read(row, at: Self.first)
        }

        override func load(_ row: borrowing RowCells, slots: SlotSet) {
            super.load(row, slots: slots)
            if slots.contains(Self.first) { _hole = Double.read(row, at: Self.first) }
        }

        override func write(to writer: inout CellWriter) {
            super.write(to: &writer)
            _hole.write(to: &writer)
        }

        override func storedValue(at slot: Int) -> StoredValue {
            slot == Self.first ? _hole.storedValue : super.storedValue(at: slot)
        }
    }

    final class Board: ManagedObject {
        private var _title: String
        private var _front: Int64

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
        var front: Shape? {
            get {
                willAccessValue()
                return toOne(at: 1, key: _front)
            }
            set { _front = changeToOne(at: 1, to: newValue) }
        }
        var shapes: ToMany<Shape> { ToMany(of: self, at: 1) }

        override class var entityDescription: EntityDescription { boardDescription }
        override class var slotCount: Int { 2 }
        override class var relationshipCount: Int { 2 }

        private static let boardDescription = EntityDescription(
            name: "Board", type: Board.self, properties: properties(of: Board.self))

        static func properties<Root: Board>(of root: Root.Type) -> [PropertyDescription] {
            ManagedObject.properties(of: root) + [
                .attribute(\Root.title, "title", .unique),
                .toOne(\Root.front, "front"),
                .toMany(\Root.shapes, "shapes", to: Shape.self),
            ]
        }

        required init(row: borrowing RowCells, seed: ObjectSeed) {
            _title = String.read(row, at: 0)
            _front = row.key(at: 1)
            super.init(row: row, seed: seed)
        }

        required init(seed: ObjectSeed) {
            _title = String.placeholder
            _front = 0
            super.init(seed: seed)
        }

        override func load(_ row: borrowing RowCells) {
            _title = String.read(row, at: 0)
            _front = row.key(at: 1)
        }

        override func load(_ row: borrowing RowCells, slots: SlotSet) {
            if slots.contains(0) { _title = String.read(row, at: 0) }
            if slots.contains(1) { _front = row.key(at: 1) }
        }

        override func write(to writer: inout CellWriter) {
            _title.write(to: &writer)
            writer.append(key: _front)
        }

        override func storedValue(at slot: Int) -> StoredValue {
            switch slot {
            case 0: _title.storedValue
            case 1: _front == 0 ? .null : .integer(_front)
            default: super.storedValue(at: slot)
            }
        }
    }
}

extension HandShapes.Shape: TwinShape {
    typealias Board = HandShapes.Board
}
extension HandShapes.Disc: TwinDisc {}
extension HandShapes.Ring: TwinRing {}
extension HandShapes.Board: TwinBoard {
    typealias Shape = HandShapes.Shape
}

enum HandShapeTwin: ShapeTwin {
    typealias Shape = HandShapes.Shape
    typealias Disc = HandShapes.Disc
    typealias Ring = HandShapes.Ring
    typealias Board = HandShapes.Board

    static var shape: ShapePaths<Shape> { ShapePaths(name: \.name, layer: \.layer) }
    static var disc: ShapePaths<Disc> { ShapePaths(name: \.name, layer: \.layer) }
    static var ring: ShapePaths<Ring> { ShapePaths(name: \.name, layer: \.layer) }
    static var radius: (disc: KeyPath<Disc, Double>, ring: KeyPath<Ring, Double>) {
        (\.radius, \.radius)
    }
    static var hole: KeyPath<Ring, Double> { \.hole }
}
