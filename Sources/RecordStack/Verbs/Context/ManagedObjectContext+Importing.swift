public import FoundationEssentials
public import RecordStackGraph
public import RecordStackImport
import RecordStackModel

extension ManagedObjectContext {
    /// Imports JSON into objects of an entity, as `Entity.importJSON(_:at:in:deletingOthers:options:hooks:progress:)` does.
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
