public import RecordStackGraph
public import RecordStackModel
import RecordStackSQLite

extension ManagedObjectModel {
    /// Creates a model from arrays of entity classes.
    ///
    /// ```swift
    /// let model = try ManagedObjectModel(
    ///     entities: Library.entities + Billing.entities, inMemory: [Draft.self])
    /// ```
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` if the entities contradict each other.
    public convenience init(
        entities: [ManagedObject.Type], inMemory volatile: [ManagedObject.Type] = []
    ) throws {
        try self.init(
            entities: entities.map { $0.entityDescription },
            inMemory: volatile.map { $0.entityDescription })
    }
}

extension PersistentStoreCoordinator {
    /// Opens a store for a model, and creates the store if there is none.
    ///
    /// ```swift
    /// let model = try ManagedObjectModel(entities: Library.entities + Billing.entities)
    /// let coordinator = try PersistentStoreCoordinator(model: model, at: .file("shop.sqlite"))
    /// let stack = try ContextStack(coordinator: coordinator)
    /// ```
    ///
    /// Use this initializer to build a stack from a coordinator that you create yourself.
    ///
    /// - Parameters:
    ///   - model: The model. A store in a file contains no objects of the model's in-memory
    ///     entities. A store in memory contains those objects, too.
    ///   - location: The location of the store.
    ///   - architecture: The hierarchy of the stack's contexts.
    ///   - options: The options for opening the store.
    /// - Throws: Any error of ``ContextStack/init(for:inMemory:at:architecture:options:)``.
    public convenience init(
        model: ManagedObjectModel, at location: StoreLocation,
        architecture: StackArchitecture = .savingRoot, options: StoreOptions = StoreOptions()
    ) throws {
        try self.init(
            store: Self.store(model, at: location, options), model: model,
            architecture: architecture, watching: options.watching)
    }

    private static func store(
        _ model: ManagedObjectModel, at location: StoreLocation, _ options: StoreOptions
    ) throws -> any PersistentStore {
        if location == .inMemory || !model.hasVolatileEntities {
            return try SQLiteStore(at: location.inSQLite, model: model, options: options)
        }
        var volatileOptions = options
        // A read-only file must not make the in-memory store read-only.
        volatileOptions.isReadOnly = false
        (volatileOptions.vfs, volatileOptions.pageLimit, volatileOptions.onEnd) = (nil, nil, nil)
        return CompositeStore(
            lasting: try SQLiteStore(
                at: location.inSQLite, model: model, part: .lasting, options: options),
            volatile: try SQLiteStore(
                at: .memory, model: model, part: .volatile, options: volatileOptions),
            model: model)
    }
}
