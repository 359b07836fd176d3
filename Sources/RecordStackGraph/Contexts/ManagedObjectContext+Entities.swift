package import FoundationEssentials
public import RecordStackModel

extension ManagedObjectContext {
    /// The entities that the context's stack works with.
    public var model: ManagedObjectModel { coordinator.model }

    /// A request as this context's store answers it.
    package func storeRequest<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>
    ) throws -> StoreRequest {
        try request.storeRequest(
            in: coordinator.model, store: storeUUID(of: Entity.entityDescription))
    }

    /// All objects of an entity that is known by its description alone, in the order of their IDs:
    /// for programs that treat every entity alike.
    ///
    /// ```swift
    /// for entity in context.model.entities where entity.superentity == nil {
    ///     print(entity.name, try context.objects(of: entity).count)
    /// }
    /// ```
    ///
    /// Objects of entities that inherit from it are among them.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for an entity that is not in the stack's model, and
    ///   what the store says.
    public func objects(of entity: EntityDescription) throws -> [ManagedObject] {
        try queries.fetch(
            StoreRequest(entity: try model.requireIndex(of: entity)), as: ManagedObject.self)
    }

    /// The UUID of the store, which the IDs of its objects carry.
    package var storeUUID: UUID { coordinator.storeUUID }

    /// The UUID in the IDs of an entity's objects.
    /// - Throws: ``RecordStackError/Code/misuse`` for an entity that is not in the stack's model.
    package func storeUUID(of entity: EntityDescription) throws -> UUID {
        coordinator.storeUUID(of: try model.requireIndex(of: entity))
    }

    /// What is kept for as long as the stack lives.
    package var stackStorage: StackStorage { coordinator.stackStorage }
}
