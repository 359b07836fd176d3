import RecordStackModel

extension ManagedObjectContext {
    @inline(__always)
    var isInBlock: Bool { usage.readingsBeforeBlock != .max }

    /// Whether the read that begins may share the read transaction of the reads just before it.
    ///
    /// The first read of a block gets a transaction of its own, so a block that reads once does not
    /// pay for a burst.
    ///
    /// Outside of blocks, no read is known to be the last one, so the transaction stays open until
    /// the store ends it. A context must therefore read often before it reads in a burst. A loop
    /// reads that often, and an event handler does not.
    @inline(__always)
    func readsInBurst() -> Bool {
        isInBlock ? usage.readings > usage.readingsBeforeBlock : usage.pace.note()
    }

    /// Runs a block that has exclusive use of the context.
    func inBursts<Value>(_ block: () throws -> Value) rethrows -> Value {
        usage.readingsBeforeBlock = usage.readings
        defer {
            usage.readingsBeforeBlock = .max
            // A child of the context may have read, too.
            coordinator.store.endBursts()
        }
        return try block()
    }
}
