extension ManagedObjectContext {
    /// The context's name in messages, which ``monitor`` can set on any thread.
    public var name: String {
        get { monitor.name }
        set { monitor.name = newValue }
    }
}

extension ManagedObjectContext: CustomStringConvertible, CustomDebugStringConvertible {
    /// The names from here to the root or the coordinator, and the number of objects to save.
    ///
    /// For example `form → default → root: 1 inserted, 2 updated, 0 deleted`. Reading the
    /// description compares changed objects with their old values, and reads nothing from the
    /// store.
    public var description: String { "\(monitor.path): \(pendingCounts)" }

    /// One line for the context, and one for each of its ancestors.
    ///
    /// ```
    /// form → default → root
    ///   form: 1 inserted, 2 updated, 0 deleted; 12 registered
    ///   default: 0 inserted, 0 updated, 1 deleted; 240 registered
    /// ```
    public var debugDescription: String {
        let lines = chain.map {
            "\n  \($0.name): \($0.pendingCounts); \($0.registeredObjectCount) registered"
        }
        return monitor.path + lines.joined()
    }

    private var pendingCounts: String {
        "\(insertedObjects.count) inserted, \(updatedObjects.count) updated, "
            + "\(deletedObjects.count) deleted"
    }
}
