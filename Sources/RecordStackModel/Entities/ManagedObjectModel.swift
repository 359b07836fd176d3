/// The entities that a stack works with, checked against each other.
///
/// ```swift
/// let model = try ManagedObjectModel(entities: [Person.entityDescription])
/// ```
///
/// Superentities and the destinations of relationships are added by themselves; a subentity that
/// nothing refers to must be named.
public final class ManagedObjectModel: Sendable {
    /// The entities: those given, then those that were added.
    public let entities: [EntityDescription]
    package let modelEntities: [ModelEntity]
    package let hierarchies: [Hierarchy]
    /// All relationships, each where it is declared.
    package let relations: [ModelRelation]
    /// The join tables of relationships, and the columns that keep orders.
    package let joinTables: [JoinTable]
    /// Whether there are one-to-one relationships.
    package let hasOneToOneRelationships: Bool
    /// The relationships of which it was said how many members they have.
    package let countedRelations: [ModelRelation]
    private let indexes: IdentityTable
    private let names: NameTable

    /// Checks the entities and ties them together.
    ///
    /// ```swift
    /// let model = try ManagedObjectModel(
    ///     entities: Library.entities + Billing.entities, inMemory: [Draft.entityDescription])
    /// ```
    ///
    /// Several lists may name the same entity.
    ///
    /// - Parameters:
    ///   - entities: those of the store.
    ///   - volatile: those that are kept in memory beside it, and are gone with the stack, with what they refer to:
    ///     a relationship cannot relate objects of two stores.
    /// - Throws: ``RecordStackError/Code/misuse`` where two names collide, a name is reserved, an inverse does not
    ///   refer back, or entities of both kinds are related.
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

    /// Whether some entities are kept in memory beside the store.
    package var hasVolatileEntities: Bool { hierarchies.contains(where: \.isInMemory) }

    /// Whether an entity is kept in memory beside the store.
    package func isInMemory(_ entity: Int) -> Bool {
        hierarchies[modelEntities[entity].hierarchy].isInMemory
    }

    /// The index of an entity in the model; nil if the model does not have it.
    package func index(of entity: EntityDescription) -> Int? { indexes[entity.typeIdentity] }

    package func index(ofEntityNamed name: String) -> Int? { names.index(of: name) }

    /// The index of an entity in the model.
    /// - Throws: ``RecordStackError/Code/misuse`` that says how to add it.
    package func requireIndex(of entity: EntityDescription) throws -> Int {
        if let index = index(of: entity) { return index }
        throw RecordStackError(
            .misuse,
            "\(entity.name) is not part of this stack's model. Add \(entity.name).self where the "
                + "stack is made.", entity: entity.name)
    }

    /// The entities of which there may be rows where an entity is asked for.
    package func kinds(of request: StoreRequest) -> [Int] {
        request.includesSubentities ? modelEntities[request.entity].kinds : [request.entity]
    }

    /// The names of the entities that inherit from an abstract one and are not abstract themselves.
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

/// An entity in its model. It refers to other entities and relationships by index.
package struct ModelEntity: Sendable {
    package let index: Int
    package let description: EntityDescription
    package let hierarchy: Int
    /// The entity itself and all that inherit from it.
    package internal(set) var kinds: [Int] = []
    package internal(set) var relationships: [ModelRelationship] = []
    /// The to-one relationships, of whatever entity, that may refer to an object of this one.
    package internal(set) var references: [ModelReference] = []
    package internal(set) var deletion = DeletionRules()

    package var name: String { description.name }

    /// The destination of a slot's to-one relationship; nil for an attribute's slot.
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
    /// Whether it is kept in memory beside the store.
    package internal(set) var isInMemory = false

    /// Whether a row must say which entity it is of.
    package var isPolymorphic: Bool { entities.count > 1 }
}
