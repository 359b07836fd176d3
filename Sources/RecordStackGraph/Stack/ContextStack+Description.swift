import RecordStackModel

extension ContextStack: CustomStringConvertible {
    /// Where the store is, and how many entities and contexts there are:
    /// `ContextStack at /tmp/people.sqlite, 4 entities, 2 contexts`.
    public var description: String {
        let location = coordinator.store.path.map { "at \($0)" } ?? "in memory"
        return "ContextStack \(location), \(coordinator.model.modelEntities.count) entities, "
            + "\(contextMonitors.count) contexts"
    }
}

extension PrivateQueueContext: CustomStringConvertible {
    /// The name of the context inside, of which nothing else may be looked at from here.
    public var description: String { "PrivateQueueContext “\(name)”" }
}

extension PersistentStoreCoordinator: CustomStringConvertible {
    /// Where the store is.
    public var description: String {
        "PersistentStoreCoordinator \(store.path.map { "at \($0)" } ?? "in memory")"
    }
}
