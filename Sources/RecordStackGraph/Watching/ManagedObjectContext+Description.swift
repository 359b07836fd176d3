extension ManagedObjectContext {
    /// The context's name in messages. You can set it on any thread through ``monitor``.
    public var name: String {
        get { monitor.name }
        set { monitor.name = newValue }
    }
}

extension ManagedObjectContext: CustomStringConvertible, CustomDebugStringConvertible {
    /// The names from this context up to the root or coordinator, and counts of unsaved objects.
    ///
    /// For example, `form → default → root: 1 inserted, 2 updated, 0 deleted`. Reading the
    /// description compares changed objects with their old values, and reads nothing from the
    /// store.
    public var description: String { "\(monitor.path): \(pendingCounts)" }

    /// One line with the path of names, then one line for each context in it that belongs to this
    /// context's isolation.
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
