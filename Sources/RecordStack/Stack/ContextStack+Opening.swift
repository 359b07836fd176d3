import FoundationEssentials
public import RecordStackGraph
package import RecordStackModel
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
    /// - Throws: ``RecordStackError/Code/misuse`` where the entities do not fit together;
    ///   ``RecordStackError/Code/modelMismatch`` for a store of another model or program,
    ///   ``RecordStackError/Code/newerFormat``, ``RecordStackError/Code/notADatabase``,
    ///   ``RecordStackError/Code/cannotOpen`` for a directory, a missing folder or permission, and
    ///   what else SQLite says. A file that is not the stack's store is not written to.
    public convenience init(
        for entities: ManagedObject.Type..., at location: StoreLocation
    ) throws {
        try self.init(entities: entities, at: location, options: StoreOptions())
    }

    package convenience init(
        entities: [ManagedObject.Type], at location: StoreLocation, options: StoreOptions
    ) throws {
        let model = try ManagedObjectModel(entities: entities.map { $0.entityDescription })
        let store = try SQLiteStore(
            at: try location.resolved(), model: model, options: options)
        try self.init(store: store, model: model)
    }
}

extension StoreLocation {
    /// The place by its whole path: a program may change its working directory later.
    func resolved() throws -> SQLiteLocation {
        switch self {
        case .inMemory: return .memory
        case .file(let path):
            if path.isEmpty || path.utf8.contains(0) {
                throw RecordStackError(.cannotOpen, "The path of the store is empty or has a NUL.")
            }
            if path.hasPrefix("/") { return .file(path) }
            return .file(FileManager.default.currentDirectoryPath + "/" + path)
        }
    }
}
