public import RecordStackGraph
public import RecordStackModel
import RecordStackSQLite

extension ManagedObjectModel {
    /// The model of some classes, which may come from several lists.
    ///
    /// ```swift
    /// let model = try ManagedObjectModel(
    ///     entities: Library.entities + Billing.entities, inMemory: [Draft.self])
    /// ```
    ///
    /// - Throws: ``RecordStackModel/RecordStackError/Code/misuse`` where the entities do not fit together.
    public convenience init(
        entities: [ManagedObject.Type], inMemory volatile: [ManagedObject.Type] = []
    ) throws {
        try self.init(
            entities: entities.map { $0.entityDescription },
            inMemory: volatile.map { $0.entityDescription })
    }
}

extension PersistentStoreCoordinator {
    /// Opens a store for a model, and makes it where there is none: one of the parts of a stack, for programs that
    /// put theirs together themselves.
    ///
    /// ```swift
    /// let model = try ManagedObjectModel(entities: Library.entities + Billing.entities)
    /// let coordinator = try PersistentStoreCoordinator(model: model, at: .file("shop.sqlite"))
    /// let stack = try ContextStack(coordinator: coordinator)
    /// ```
    ///
    /// - Parameters:
    ///   - model: what the store keeps. What the model keeps in memory is in no file, and where the store itself
    ///     is in memory, it is in that.
    ///   - location: where the store is.
    ///   - architecture: how the contexts of its stack stand to each other.
    ///   - options: how it is opened.
    /// - Throws: what ``RecordStackGraph/ContextStack/init(for:inMemory:at:architecture:options:)`` throws.
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
        // A file that is only read does not keep memory from being written.
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
