import RecordStackModel

extension ManagedObjectContext {
    @inline(__always)
    var isInBlock: Bool { usage.readingsBeforeBlock != .max }

    /// Whether the read that begins follows others at once, so that it may share their read transaction. The first read of a
    /// block has one of its own: a block that reads once does not pay for a burst.
    ///
    /// Outside of blocks, nobody says which read is the last, and its transaction stands until the store looks after it. So a
    /// context has to read often before it reads in a burst, as a loop does and a handler of events does not.
    @inline(__always)
    func readsInBurst() -> Bool {
        isInBlock ? usage.readings > usage.readingsBeforeBlock : usage.pace.note()
    }

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
