import RecordStackGraph
import RecordStackModel

/// A location in the tree that an export writes.
final class ExportLocation {
    let options: ExportOptions
    let selection: ExportSelection
    private let depth: Int
    /// Whether no more is written than by what objects are known.
    private let isKey: Bool
    /// The relationship that the export came through; nil at the top.
    private let arrival: (relationship: RelationshipDescription, entity: EntityDescription)?
    private let root: EntityDescription?
    private var shapes: [ObjectIdentifier: ExportShape] = [:]
    private var locations: [String: ExportLocation] = [:]

    /// The top.
    /// - Parameter root: the entity whose objects are exported.
    init(
        _ options: ExportOptions, _ selection: ExportSelection, depth: Int, root: EntityDescription
    ) {
        self.options = options
        self.selection = selection
        self.depth = depth
        self.root = root
        isKey = false
        arrival = nil
    }

    private init(
        _ options: ExportOptions, _ selection: ExportSelection, depth: Int, isKey: Bool,
        arrival: (relationship: RelationshipDescription, entity: EntityDescription)
    ) {
        self.options = options
        self.selection = selection
        self.depth = depth
        self.isKey = isKey
        self.arrival = arrival
        root = nil
    }

    /// The entity whose objects an import expects here.
    var destination: EntityDescription? { arrival?.relationship.destination ?? root }

    /// What is written of objects of an entity.
    func shape(of entity: EntityDescription) throws -> ExportShape {
        if let known = shapes[entity.typeIdentity] { return known }
        let made = try ExportShape(entity, at: self)
        shapes[entity.typeIdentity] = made
        return made
    }

    func writes(_ attribute: AttributeDescription, of entity: EntityDescription) -> Bool {
        if isKey { return entity.identitySlots.contains(attribute.slot) }
        return selection.contains(attribute.name)
    }

    /// Whether a relationship is written: not a to-one inverse of the relationship that the export came through.
    func writes(_ relationship: RelationshipDescription, of entity: EntityDescription) -> Bool {
        if isKey { return relationship.slot.map(entity.identitySlots.contains) ?? false }
        if !selection.contains(relationship.name) { return false }
        return relationship.isToMany || !isInverseOfArrival(relationship, of: entity)
    }

    private func isInverseOfArrival(
        _ relationship: RelationshipDescription, of entity: EntityDescription
    ) -> Bool {
        guard let arrival else { return false }
        return arrival.relationship.isInverse(
            of: relationship, owner: arrival.entity, other: entity)
    }

    /// How a relationship is written.
    func relation(
        _ relationship: RelationshipDescription, of entity: EntityDescription
    ) throws -> ExportShape.Relation {
        let destination = relationship.destination
        let hasSeveralParts = !destination.identitySlots.isEmpty && destination.identity == nil
        return ExportShape.Relation(
            description: relationship, location: next(relationship, of: entity),
            keyLocation: hasSeveralParts
                ? location(behind: relationship, of: entity, isKey: true) : nil,
            isInverseOfArrival: isInverseOfArrival(relationship, of: entity))
    }

    /// The location of a relationship's destination; nil where keys alone are written.
    private func next(
        _ relationship: RelationshipDescription, of entity: EntityDescription
    ) -> ExportLocation? {
        if isKey || depth == 0 && !selection.isChosenInside(relationship.name) { return nil }
        return location(behind: relationship, of: entity, isKey: false)
    }

    private func location(
        behind relationship: RelationshipDescription, of entity: EntityDescription, isKey: Bool
    ) -> ExportLocation {
        let key = "\(entity.name).\(relationship.name) \(isKey)"
        if let known = locations[key] { return known }
        let made = ExportLocation(
            options, selection.inside(relationship.name), depth: max(0, depth - 1), isKey: isKey,
            arrival: (relationship, entity))
        locations[key] = made
        return made
    }

    /// The relationships that are to be loaded for objects of an entity, one after the other: the nearest ones, and none
    /// behind itself. What is written of others is loaded object by object.
    func prefetches(of entity: EntityDescription) throws -> [Prefetch] {
        var paths: [Prefetch] = []
        var ends = [(location: self, entity: entity, steps: [Prefetch.Step]())]
        while !ends.isEmpty {
            let end = ends.removeFirst()
            for relation in try end.location.shape(of: end.entity).relations {
                let step = Prefetch.Step(
                    owner: end.entity, relationship: relation.description.index)
                if end.steps.contains(step) { continue }
                if paths.count == Self.mostPrefetches { return paths }
                paths.append(Prefetch(steps: end.steps + [step]))
                guard let location = relation.location ?? relation.keyLocation else { continue }
                ends.append((location, relation.description.destination, end.steps + [step]))
            }
        }
        return paths
    }

    private static var mostPrefetches: Int { 64 }
}
