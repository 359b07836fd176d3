/// The entities that a stack works with, checked against each other.
///
/// ```swift
/// let model = try ManagedObjectModel(entities: [Person.entityDescription])
/// ```
///
/// The model adds the superentities of the entities that you pass, and the entities to which
/// relationships refer. If no relationship refers to a subentity, you must pass it yourself.
public final class ManagedObjectModel: Sendable {
    /// The entities: first those that you pass, then those that the model adds.
    public let entities: [EntityDescription]
    package let modelEntities: [ModelEntity]
    package let hierarchies: [Hierarchy]
    /// All relationships, each listed for the entity that declares it.
    package let relations: [ModelRelation]
    /// The join tables of relationships, and the columns that keep the order of members.
    package let joinTables: [JoinTable]
    /// Whether the model has one-to-one relationships.
    package let hasOneToOneRelationships: Bool
    /// The relationships that restrict their number of members.
    package let countedRelations: [ModelRelation]
    private let indexes: IdentityTable
    private let names: NameTable

    /// Creates a model and checks its entities against each other.
    ///
    /// ```swift
    /// let model = try ManagedObjectModel(
    ///     entities: Library.entities + Billing.entities, inMemory: [Draft.entityDescription])
    /// ```
    ///
    /// The lists may contain an entity more than once.
    ///
    /// - Parameters:
    ///   - entities: the entities of the store.
    ///   - volatile: the entities that are kept in memory next to the store. Their objects are lost
    ///     when the stack closes. The entities to which these entities refer are kept in memory,
    ///     too, because a relationship cannot connect objects of two stores.
    /// - Throws: ``RecordStackError/Code/misuse`` if two names collide, a name is reserved, an
    ///   inverse does not refer back, or a relationship connects an entity in the store with an
    ///   entity in memory.
    public convenience init(
        entities: [EntityDescription], inMemory volatile: [EntityDescription] = []
    ) throws {
        try self.init(
            resolving: Self.completing(entities + volatile),
            stores: StoreAssignment(entities: entities, inMemory: volatile))
    }

    private init(resolving entities: [EntityDescription], stores: StoreAssignment) throws {
        var resolver = ModelResolver(entities: entities, stores: stores)
        try resolver.resolve()
        self.entities = entities
        modelEntities = resolver.modelEntities
        hierarchies = resolver.hierarchies
        relations = resolver.relations
        joinTables = resolver.joinTables
        hasOneToOneRelationships = resolver.hasOneToOneRelationships
        countedRelations = resolver.relations.filter { relation in
            let description = resolver.entities[relation.entity]
            return description.relationships[relation.relationship].requiredCount != nil
        }
        indexes = resolver.indexes
        names = resolver.names
    }

    /// Whether any entities are kept in memory next to the store.
    package var hasVolatileEntities: Bool { hierarchies.contains(where: \.isInMemory) }

    /// Whether an entity is kept in memory next to the store.
    package func isInMemory(_ entity: Int) -> Bool {
        hierarchies[modelEntities[entity].hierarchy].isInMemory
    }

    /// Returns the index of an entity in the model; nil if the model does not have it.
    package func index(of entity: EntityDescription) -> Int? { indexes[entity.typeIdentity] }

    package func index(ofEntityNamed name: String) -> Int? { names.index(of: name) }

    /// Returns the index of an entity in the model.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` with advice on how to add the entity.
    package func requireIndex(of entity: EntityDescription) throws -> Int {
        if let index = index(of: entity) { return index }
        throw RecordStackError(
            .misuse,
            "\(entity.name) is not part of this stack's model. Add \(entity.name).self where the "
                + "stack is made.", entity: entity.name)
    }

    /// Returns the indices of the entities whose rows a request can find.
    package func kinds(of request: StoreRequest) -> [Int] {
        request.includesSubentities ? modelEntities[request.entity].kinds : [request.entity]
    }

    /// Returns a comma-separated list of the concrete entities that inherit from an abstract one.
    package func concreteNames(of entity: Int) -> String {
        modelEntities[entity].kinds.filter { !modelEntities[$0].description.isAbstract }
            .map { modelEntities[$0].name }.joined(separator: ", ")
    }

    private static func completing(_ entities: [EntityDescription]) -> [EntityDescription] {
        var result: [EntityDescription] = []
        var waiting = entities[...]
        while let entity = waiting.popFirst() {
            if result.contains(where: { $0.isSame(as: entity) }) { continue }
            result.append(entity)
            if let superentity = entity.superentity { waiting.append(superentity) }
            waiting += entity.relationships.map(\.destination)
        }
        return result
    }
}

/// An entity in its model.
///
/// It refers to other entities and relationships by index.
package struct ModelEntity: Sendable {
    package let index: Int
    package let description: EntityDescription
    package let hierarchy: Int
    /// The indices of the entity itself and of all entities that inherit from it.
    package internal(set) var kinds: [Int] = []
    package internal(set) var relationships: [ModelRelationship] = []
    /// The to-one relationships, of any entity, that may refer to an object of this entity.
    package internal(set) var references: [ModelReference] = []
    package internal(set) var deletion = DeletionRules()

    package var name: String { description.name }

    /// Returns the destination of a slot's to-one relationship; nil for an attribute's slot.
    package func destination(at slot: Int) -> Int? {
        guard description.slots[slot].relationship != nil else { return nil }
        return relationships.first { $0.slot == slot }?.destination
    }
}

/// The entities that share a table.
package struct Hierarchy: Sendable {
    package let index: Int
    package let root: Int
    package internal(set) var entities: [Int]
    /// True if the hierarchy is kept in memory beside the store.
    package internal(set) var isInMemory = false

    /// Whether each row must name its entity.
    package var isPolymorphic: Bool { entities.count > 1 }
}
