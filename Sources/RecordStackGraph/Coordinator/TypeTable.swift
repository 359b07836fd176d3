import RecordStackModel
import Synchronization

/// Which class is which entity of a model.
final class TypeTable: Sendable {
    let types: [ManagedObject.Type]
    /// Which life-cycle hooks the classes override.
    let hooks: [LifeCycleHooks]
    /// Those that some class overrides.
    let allHooks: LifeCycleHooks
    /// The inverse relationships that follow an entity's to-one relationships, by entity.
    let inverseTables: [InverseTable]
    /// True if more changes than loaded lists of to-many relationships: one-to-one relationships, or orders.
    let someReference: Bool
    private let indexes: IdentityTable
    /// Whether some of them are abstract.
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

    /// The index of the entity of a class of which objects can be made.
    /// - Throws: misuse for an abstract one, which says what to make instead.
    @inline(__always)
    func concreteIndex(of type: ManagedObject.Type) throws -> Int {
        let index = try index(of: type)
        if hasAbstract { try requireConcrete(index) }
        return index
    }

    /// - Throws: misuse for an abstract entity.
    func requireConcrete(_ entity: Int) throws {
        guard model.modelEntities[entity].description.isAbstract else { return }
        let name = model.modelEntities[entity].name
        throw RecordStackError(
            .misuse,
            "\(name) is abstract, so there are no objects of it. Make one of an entity that inherits "
                + "from it: \(model.concreteNames(of: entity)).", entity: name)
    }

    /// The index of a class's entity in the model.
    /// - Throws: misuse that says how to add it.
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

    /// The index of the entity of an object that a context holds. The model has its class.
    func requireIndex(of type: ManagedObject.Type) -> Int {
        guard let index = indexes[ObjectIdentifier(type)] else {
            preconditionFailure("an object of a class that its context's model does not have")
        }
        return index
    }
}
