public import RecordStackGraph
public import RecordStackModel
import RecordStackSQLite

extension ContextStack {
    /// A stack for some entities, on a store that is made where there is none.
    ///
    /// ```swift
    /// let stack = try ContextStack(for: Person.self, Team.self, at: .file("people.sqlite"))
    /// ```
    ///
    /// Entities that those named inherit from or refer to are added by themselves; a subentity must
    /// be named.
    ///
    /// A store that was made for a model to which this one only adds (entities, and properties that are
    /// optional or have a default) is extended in place.
    ///
    /// What is worth nothing tomorrow may be kept in memory beside the store, in the same contexts and with the same
    /// verbs. A save writes both; see <doc:TheStore>.
    ///
    /// - Parameters:
    ///   - entities: the classes of the objects that it keeps.
    ///   - volatile: the classes of objects that are kept in memory beside the store, and are gone with the stack. No
    ///     relationship relates the two kinds.
    ///   - location: where the store is.
    ///   - architecture: how the contexts stand to each other.
    ///   - options: how it is opened.
    /// - Throws: ``RecordStackError/Code/misuse`` where the entities do not fit together, or an
    ///   option makes no sense;
    ///   ``RecordStackError/Code/modelMismatch`` for a store of another program, or of a model that has
    ///   what this one has not, or has it otherwise; the message lists the differences;
    ///   ``RecordStackError/Code/newerFormat``, ``RecordStackError/Code/notADatabase``,
    ///   ``RecordStackError/Code/cannotOpen`` for a directory, a missing folder or permission, and
    ///   what else SQLite says. A file that is not the stack's store is not written to.
    public convenience init(
        for entities: ManagedObject.Type..., inMemory volatile: ManagedObject.Type...,
        at location: StoreLocation, architecture: StackArchitecture = .savingRoot,
        options: StoreOptions = StoreOptions()
    ) throws {
        try self.init(
            entities: entities, inMemory: volatile, at: location, architecture: architecture,
            options: options)
    }

    /// A stack for a list of entities, which an app and its tests may share.
    ///
    /// ```swift
    /// let entities: [ManagedObject.Type] = [Person.self, Team.self]
    /// let stack = try ContextStack(entities: entities, at: .file("people.sqlite"))
    /// ```
    ///
    /// - Throws: what ``init(for:inMemory:at:architecture:options:)`` throws.
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
    /// Removes a store: its file, and the log and the index beside it.
    ///
    /// ```swift
    /// try stack.close()
    /// try ContextStack.destroyStore(at: .file("people.sqlite"))
    /// ```
    ///
    /// Wherever it is stopped, the whole store is there or nothing of it. In memory there is
    /// nothing to remove: the store goes with its stack.
    /// - Returns: whether there was anything to remove.
    /// - Throws: ``RecordStackError/Code/busy`` while a stack of this process or another process has
    ///   the store open; ``RecordStackError/Code/modelMismatch`` and
    ///   ``RecordStackError/Code/notADatabase`` for a file that is no store of RecordStack;
    ///   ``RecordStackError/Code/cannotOpen`` and ``RecordStackError/Code/readOnly`` for a missing
    ///   permission. Nothing is removed then.
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
