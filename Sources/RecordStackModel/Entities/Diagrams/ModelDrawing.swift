/// The content of a diagram, in the order of the model.
struct ModelDrawing {
    struct Box {
        let name: String
        let isAbstract: Bool
        /// The attributes that the entity does not inherit.
        let attributes: [(name: String, text: String)]
    }

    /// A relationship with its inverse.
    struct Line {
        let source: String
        let destination: String
        /// How many objects are at each end: `1`, `0..1`, `*` or a range.
        let sourceCount: String
        let destinationCount: String
        let label: String
        let hasInverse: Bool
    }

    let boxes: [Box]
    /// Each subentity with its superentity.
    let inheritance: [(subentity: String, superentity: String)]
    let lines: [Line]

    init(_ model: ManagedObjectModel) {
        boxes = model.entities.map(Box.init)
        inheritance = model.entities.compactMap { entity in
            entity.superentity.map { (entity.name, $0.name) }
        }
        lines = model.relations.compactMap { Line($0, in: model) }
    }
}

extension ModelDrawing.Box {
    fileprivate init(_ entity: EntityDescription) {
        let inherited = Set(entity.superentity?.attributes.map(\.name) ?? [])
        name = entity.name
        isAbstract = entity.isAbstract
        attributes = entity.attributes.filter { !inherited.contains($0.name) }.map {
            ($0.name, $0.type.name + ($0.isOptional ? "?" : "") + ($0.isUnique ? ", unique" : ""))
        }
    }
}

extension ModelDrawing.Line {
    /// Nil for a relationship that its inverse has drawn.
    fileprivate init?(_ relation: ModelRelation, in model: ManagedObjectModel) {
        let entity = model.modelEntities[relation.entity]
        let resolved = entity.relationships[relation.relationship]
        let description = entity.description.relationships[relation.relationship]
        let other = model.modelEntities[resolved.destination]
        source = entity.name
        destination = other.name
        destinationCount = Self.count(description)
        guard let index = resolved.inverse, !description.isSymmetric else {
            hasInverse = description.isSymmetric
            sourceCount = "*"
            label = Self.label(description)
            return
        }
        if other.relationships[index].relation < resolved.relation { return nil }
        let inverse = other.description.relationships[index]
        hasInverse = true
        sourceCount = Self.count(inverse)
        label = "\(Self.label(description)), \(Self.label(inverse))"
    }

    private static func label(_ relationship: RelationshipDescription) -> String {
        relationship.name + (relationship.isOrdered ? " (ordered)" : "")
    }

    private static func count(_ relationship: RelationshipDescription) -> String {
        guard relationship.isToMany else { return relationship.isRequired ? "1" : "0..1" }
        guard let range = relationship.requiredCount else { return "*" }
        if range.lowerBound == range.upperBound { return "\(range.lowerBound)" }
        return "\(range.lowerBound)..\(range.upperBound == .max ? "*" : "\(range.upperBound)")"
    }
}
