import RecordStackModel

extension ContextStack: CustomStringConvertible {
    /// The store's location and the numbers of entities and contexts.
    ///
    /// For example, `ContextStack at /tmp/people.sqlite, 4 entities, 2 contexts`.
    public var description: String {
        let location = coordinator.store.path.map { "at \($0)" } ?? "in memory"
        return "ContextStack \(location), \(coordinator.model.modelEntities.count) entities, "
            + "\(contextMonitors.count) contexts"
    }
}

extension PrivateQueueContext: CustomStringConvertible {
    /// The type and the name of the context, for example `PrivateQueueContext “import”`.
    public var description: String { "PrivateQueueContext “\(name)”" }
}

extension PersistentStoreCoordinator: CustomStringConvertible {
    /// The store's location, for example `PersistentStoreCoordinator at /tmp/people.sqlite`.
    public var description: String {
        "PersistentStoreCoordinator \(store.path.map { "at \($0)" } ?? "in memory")"
    }
}
