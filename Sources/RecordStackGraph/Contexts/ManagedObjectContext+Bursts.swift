import RecordStackModel

extension ManagedObjectContext {
    @inline(__always)
    var isInBlock: Bool { usage.readingsBeforeBlock != .max }

    /// True if reads follow each other at once, so that they may share a read transaction. The first read of a block has one of
    /// its own: a block that reads once does not pay for a burst.
    @inline(__always)
    var readsInBursts: Bool { usage.readings > usage.readingsBeforeBlock }

    /// Runs a block that has the context for itself.
    func inBursts<Value>(_ block: () throws -> Value) rethrows -> Value {
        usage.readingsBeforeBlock = usage.readings
        defer {
            usage.readingsBeforeBlock = .max
            // A child of the context can have read, too.
            coordinator.store.endBursts()
        }
        return try block()
    }
}
