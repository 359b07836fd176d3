import RecordStackGraph
import RecordStackModel

/// A location in the tree that an export writes.
final class ExportLocation {
    let options: ExportOptions
    let selection: ExportSelection
    private let depth: Int
    /// Whether the export writes only the identity of the objects here.
    private let isKey: Bool
    /// The relationship through which the export reached this location; nil at the top.
    private let arrival: (relationship: RelationshipDescription, entity: EntityDescription)?
    private let root: EntityDescription?
    private var shapes: [ObjectIdentifier: ExportShape] = [:]
    private var locations: [String: ExportLocation] = [:]

    /// Creates the top of the tree.
    ///
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

    /// Returns the shape in which objects of an entity are written.
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

    /// Whether a relationship is written.
    ///
    /// A to-one inverse of the relationship through which the export reached this location is not
    /// written.
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

    /// Returns the way in which a relationship is written.
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

    /// Returns the location of a relationship's destination; nil if only its key is written.
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

    /// Returns the relationships to prefetch for objects of an entity, nearest first.
    ///
    /// A relationship is not prefetched behind itself, and there are at most `mostPrefetches`
    /// paths. The export loads all other objects one by one.
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
