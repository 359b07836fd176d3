import RecordStackModel
import Synchronization

/// Maps the classes of a model to its entities.
final class TypeTable: Sendable {
    let types: [ManagedObject.Type]
    /// The life-cycle hooks that each class overrides, by entity.
    let hooks: [LifeCycleHooks]
    /// The life-cycle hooks that at least one class overrides.
    let allHooks: LifeCycleHooks
    /// The inverses to update when an entity's to-one relationships change, by entity.
    let inverseTables: [InverseTable]
    /// True if a changed reference can affect more than loaded lists of to-many relationships.
    ///
    /// This is so for one-to-one relationships and for ordered relationships.
    let someReference: Bool
    private let indexes: IdentityTable
    /// True if the model has an abstract entity.
    private let hasAbstract: Bool
    private let model: ManagedObjectModel

    init(model: ManagedObjectModel) throws {
        self.model = model
        types = try model.entities.map { entity in
            guard let type = entity.type as? ManagedObject.Type, type != ManagedObject.self else {
                throw RecordStackError(
                    .misuse,
                    "\(entity.name) is no entity: entities are classes that inherit from ManagedObject.",
                    entity: entity.name)
            }
            return type
        }
        hooks = types.map { $0.lifeCycleHooks }
        inverseTables = model.modelEntities.map { InverseTable(of: $0, in: model) }
        someReference = inverseTables.contains { !$0.references.isEmpty }
        allHooks = hooks.reduce([]) { $0.union($1) }
        indexes = IdentityTable(types.map { ObjectIdentifier($0) })
        hasAbstract = model.entities.contains(where: \.isAbstract)
    }

    /// Returns the index of the entity of a class whose objects can be created.
    ///
    /// - Throws: `misuse` for an abstract entity, with the entities to use instead.
    @inline(__always)
    func concreteIndex(of type: ManagedObject.Type) throws -> Int {
        let index = try index(of: type)
        if hasAbstract { try requireConcrete(index) }
        return index
    }

    /// Checks that an entity is not abstract.
    ///
    /// - Throws: `misuse` for an abstract entity.
    func requireConcrete(_ entity: Int) throws {
        guard model.modelEntities[entity].description.isAbstract else { return }
        let name = model.modelEntities[entity].name
        throw RecordStackError(
            .misuse,
            "\(name) is abstract, so there are no objects of it. Make one of an entity that inherits "
                + "from it: \(model.concreteNames(of: entity)).", entity: name)
    }

    /// Returns the index of a class's entity in the model.
    ///
    /// - Throws: `misuse`, with advice on how to add the entity.
    func index(of type: ManagedObject.Type) throws -> Int {
        if let index = indexes[ObjectIdentifier(type)] { return index }
        if type == ManagedObject.self {
            throw RecordStackError(
                .misuse, "ManagedObject itself is no entity. Ask one of its subclasses.")
        }
        return try model.requireIndex(of: type.entityDescription)
    }

    func inverseTable(of type: ManagedObject.Type) -> InverseTable {
        inverseTables[requireIndex(of: type)]
    }

    /// Returns the index of the entity of a registered object. The model always has its class.
    func requireIndex(of type: ManagedObject.Type) -> Int {
        guard let index = indexes[ObjectIdentifier(type)] else {
            preconditionFailure("an object of a class that its context's model does not have")
        }
        return index
    }
}
