import RecordStackModel

extension ContextStack: CustomStringConvertible {
    /// The store's location and the numbers of entities and contexts.
    ///
    /// For example `ContextStack at /tmp/people.sqlite, 4 entities, 2 contexts`.
    public var description: String {
        let location = coordinator.store.path.map { "at \($0)" } ?? "in memory"
        return "ContextStack \(location), \(coordinator.model.modelEntities.count) entities, "
            + "\(contextMonitors.count) contexts"
    }
}

extension PrivateQueueContext: CustomStringConvertible {
    /// The name of the context, which is all that other isolations may read of it.
    public var description: String { "PrivateQueueContext “\(name)”" }
}

extension PersistentStoreCoordinator: CustomStringConvertible {
    /// The store's location.
    public var description: String {
        "PersistentStoreCoordinator \(store.path.map { "at \($0)" } ?? "in memory")"
    }
}
