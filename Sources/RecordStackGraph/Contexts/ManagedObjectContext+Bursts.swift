import RecordStackModel

extension ManagedObjectContext {
    /// Whether reads follow each other at once, so that they may share a read transaction. A block that reads once does
    /// not pay for it.
    @inline(__always)
    var readsInBursts: Bool { isInBlock && readings > 0 }

    /// Runs a block that has the context for itself, on a thread of the stack's own.
    func inBursts<Value>(_ block: () throws -> Value) rethrows -> Value {
        isInBlock = true
        defer {
            isInBlock = false
            if readings > 1 { coordinator.store.endBursts() }
        }
        return try block()
    }
}
