package import FoundationEssentials
public import RecordStackModel

extension ManagedObjectContext {
    /// The entities of the context's stack.
    public var model: ManagedObjectModel { coordinator.model }

    /// Resolves a request for this context's store.
    package func storeRequest<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>
    ) throws -> StoreRequest {
        try request.storeRequest(
            in: coordinator.model, store: storeUUID(of: Entity.entityDescription))
    }

    /// Returns all objects of an entity, sorted by ID.
    ///
    /// Use it in code that has only the description of an entity, not its class. The result
    /// includes the objects of subentities.
    ///
    /// ```swift
    /// for entity in context.model.entities where entity.superentity == nil {
    ///     print(entity.name, try context.objects(of: entity).count)
    /// }
    /// ```
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` if the entity is not in the stack's model. Also
    ///   throws the store's errors.
    public func objects(of entity: EntityDescription) throws -> [ManagedObject] {
        try queries.fetch(
            StoreRequest(entity: try model.requireIndex(of: entity)), as: ManagedObject.self)
    }

    /// The UUID of the store, which the IDs of its objects contain.
    package var storeUUID: UUID { coordinator.storeUUID }

    /// Returns the UUID in the IDs of an entity's objects.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` if the entity is not in the stack's model.
    package func storeUUID(of entity: EntityDescription) throws -> UUID {
        coordinator.storeUUID(of: try model.requireIndex(of: entity))
    }

    /// The values that live as long as the stack.
    package var stackStorage: StackStorage { coordinator.stackStorage }
}
