public import RecordStackGraph
public import RecordStackModel
import RecordStackSQLite

extension ContextStack {
    /// Opens a stack for some entities, and creates its store if there is none.
    ///
    /// ```swift
    /// let stack = try ContextStack(for: Person.self, Team.self, at: .file("people.sqlite"))
    /// ```
    ///
    /// The model also contains the entities that the listed entities inherit from or refer to. List
    /// a subentity yourself if no relationship refers to it.
    ///
    /// If the store has an older model and the new model only adds to it, the stack extends the
    /// store in place. The new model may add entities, and properties that are optional or have a
    /// default.
    ///
    /// Objects that need not outlive the stack can live in memory instead of in the store. They
    /// belong to the same contexts as stored objects and have the same methods. One save writes
    /// both kinds. See <doc:TheStore>.
    ///
    /// - Parameters:
    ///   - entities: The classes of the objects in the store.
    ///   - volatile: The classes of the objects that live only in memory. These objects disappear
    ///     with the stack. No relationship can connect them with objects in the store.
    ///   - location: The location of the store.
    ///   - architecture: The hierarchy of the contexts.
    ///   - options: The options for opening the store.
    /// - Throws: ``RecordStackError/Code/misuse`` if the entities contradict each other, or if an
    ///   option is invalid. ``RecordStackError/Code/modelMismatch`` for a database of another
    ///   program, and for a store whose model has something that this model lacks or declares
    ///   differently; the message lists the differences. ``RecordStackError/Code/cannotOpen`` if
    ///   the location is a directory, if its folder does not exist, or if a permission is missing.
    ///   Also ``RecordStackError/Code/newerFormat``, ``RecordStackError/Code/notADatabase``, and
    ///   errors of SQLite. The stack never writes to a file that is not its store.
    public convenience init(
        for entities: ManagedObject.Type..., inMemory volatile: ManagedObject.Type...,
        at location: StoreLocation, architecture: StackArchitecture = .savingRoot,
        options: StoreOptions = StoreOptions()
    ) throws {
        try self.init(
            entities: entities, inMemory: volatile, at: location, architecture: architecture,
            options: options)
    }

    /// Opens a stack for an array of entities.
    ///
    /// An app and its tests can share the array.
    ///
    /// ```swift
    /// let entities: [ManagedObject.Type] = [Person.self, Team.self]
    /// let stack = try ContextStack(entities: entities, at: .file("people.sqlite"))
    /// ```
    ///
    /// - Throws: Any error of ``init(for:inMemory:at:architecture:options:)``.
    public convenience init(
        entities: [ManagedObject.Type], inMemory volatile: [ManagedObject.Type] = [],
        at location: StoreLocation, architecture: StackArchitecture = .savingRoot,
        options: StoreOptions = StoreOptions()
    ) throws {
        try self.init(
            coordinator: PersistentStoreCoordinator(
                model: ManagedObjectModel(entities: entities, inMemory: volatile), at: location,
                architecture: architecture, options: options))
    }
}

extension ContextStack {
    /// Removes a store: its file, and the `-wal` and `-shm` files next to it.
    ///
    /// ```swift
    /// try stack.close()
    /// try ContextStack.destroyStore(at: .file("people.sqlite"))
    /// ```
    ///
    /// If the process stops during the call, either the whole store remains or all of it is gone. A
    /// store in memory needs no removal, because it disappears with its stack.
    ///
    /// - Returns: True if there was a file to remove.
    /// - Throws: ``RecordStackError/Code/busy`` if a stack of this process or another process has
    ///   the store open; ``RecordStackError/Code/modelMismatch`` and
    ///   ``RecordStackError/Code/notADatabase`` for a file that is not a store of RecordStack; and
    ///   ``RecordStackError/Code/cannotOpen`` and ``RecordStackError/Code/readOnly`` for a missing
    ///   permission. If the call throws, it has removed nothing.
    @discardableResult
    public static func destroyStore(at location: StoreLocation) throws -> Bool {
        try SQLiteStore.destroy(at: location.inSQLite)
    }
}

extension StoreLocation {
    var inSQLite: SQLiteLocation {
        switch self {
        case .inMemory: .memory
        case .file(let path): .file(path)
        }
    }
}
