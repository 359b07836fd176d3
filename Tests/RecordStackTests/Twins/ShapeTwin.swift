import RecordStack

/// A hierarchy of three levels below an abstract entity, and what has objects of it, made by macros and
/// by hand.
protocol ShapeTwin: SendableMetatype {
    associatedtype Shape: TwinShape
    associatedtype Disc: TwinDisc
    associatedtype Ring: TwinRing
    associatedtype Board: TwinBoard where Board.Shape == Shape, Shape.Board == Board

    static var shape: ShapePaths<Shape> { get }
    static var disc: ShapePaths<Disc> { get }
    static var ring: ShapePaths<Ring> { get }
    static var radius: (disc: KeyPath<Disc, Double>, ring: KeyPath<Ring, Double>) { get }
    static var hole: KeyPath<Ring, Double> { get }
}

protocol TwinShapeValues: ManagedObject {
    var name: String { get set }
    var layer: Int { get set }
}

protocol TwinShape: TwinShapeValues {
    associatedtype Board
    var board: Board? { get set }
}

protocol TwinDisc: TwinShapeValues {
    var radius: Double { get set }
}

protocol TwinRing: TwinDisc {
    var hole: Double { get set }
}

protocol TwinBoard: ManagedObject {
    associatedtype Shape: ManagedObject
    var title: String { get set }
    var front: Shape? { get set }
    var shapes: ToMany<Shape> { get }
}

struct ShapePaths<Entity: ManagedObject> {
    let name: KeyPath<Entity, String>
    let layer: KeyPath<Entity, Int>
}

enum ShapeTwinKind: CaseIterable {
    case macro, byHand

    var twin: any ShapeTwin.Type {
        switch self {
        case .macro: MacroShapeTwin.self
        case .byHand: HandShapeTwin.self
        }
    }
}

enum MacroShapes {
    @Entity(.abstract, .indexed(\.layer, \.name), .stored(as: "shapes"))
    class Shape: ManagedObject {
        @Attribute var name: String = "unnamed"
        @Attribute var layer: Int
        @Relationship(inverse: \Board.shapes) var board: Board?
    }

    @Entity(.unique(\.name, \.radius)) class Disc: Shape {
        @Attribute var radius: Double = 1
    }

    @Entity final class Ring: Disc {
        @Attribute(.stored(as: "inner_radius")) var hole: Double
    }

    @Entity final class Board: ManagedObject {
        @Attribute(.unique) var title: String
        @Relationship var front: Shape?
        @Relationship var shapes: ToMany<Shape>
    }
}

extension MacroShapes.Shape: TwinShape {
    typealias Board = MacroShapes.Board
}
extension MacroShapes.Disc: TwinDisc {}
extension MacroShapes.Ring: TwinRing {}
extension MacroShapes.Board: TwinBoard {
    typealias Shape = MacroShapes.Shape
}

enum MacroShapeTwin: ShapeTwin {
    typealias Shape = MacroShapes.Shape
    typealias Disc = MacroShapes.Disc
    typealias Ring = MacroShapes.Ring
    typealias Board = MacroShapes.Board

    static var shape: ShapePaths<Shape> { ShapePaths(name: \.name, layer: \.layer) }
    static var disc: ShapePaths<Disc> { ShapePaths(name: \.name, layer: \.layer) }
    static var ring: ShapePaths<Ring> { ShapePaths(name: \.name, layer: \.layer) }
    static var radius: (disc: KeyPath<Disc, Double>, ring: KeyPath<Ring, Double>) {
        (\.radius, \.radius)
    }
    static var hole: KeyPath<Ring, Double> { \.hole }
}
