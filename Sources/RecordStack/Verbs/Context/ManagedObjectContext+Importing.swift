public import FoundationEssentials
public import RecordStackGraph
public import RecordStackImport
import RecordStackModel

extension ManagedObjectContext {
    /// Imports JSON: each row changes the object with the same identity, or becomes a new object.
    ///
    /// The import works like `Entity.importJSON(_:at:in:deletingOthers:options:hooks:progress:)`.
    @discardableResult
    public func importJSON<Entity: ManagedObject>(
        _ data: Data, at keyPath: String? = nil, into type: Entity.Type,
        deletingOthers scope: FetchRequest<Entity>? = nil, options: ImportOptions = .patch,
        hooks: ImportHooks = ImportHooks(), progress: ((ImportProgress) -> Void)? = nil
    ) throws -> ImportReport {
        let importer = try Importer(
            into: type, context: self, options: options, hooks: hooks, progress: progress)
        return try importer.deletingOthers(of: scope) { try $0.run(data, at: keyPath) }
    }
}
