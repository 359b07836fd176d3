// The checks of a context's isolation if `ConcurrencyDebug` is on. If it is off, each of these
// costs the test of a constant.
extension ManagedObjectContext {
    /// Stops the process if the caller may not use the context.
    @inline(__always)
    final func checkIsolation() {
        if let isolation = usage.isolation { isolation.look(self) }
    }

    /// Begins a longer use of the context; stops the process if the caller may not use it.
    ///
    /// - Returns: The argument for ``endUse(_:)``.
    @inline(__always)
    final func beginUse() -> Bool {
        if let isolation = usage.isolation { return isolation.begin(self) }
        return false
    }

    @inline(__always)
    final func endUse(_ isOutermost: Bool) {
        if isOutermost { usage.isolation?.end() }
    }

    /// Runs a block to which the context is lent.
    func lent<Value>(_ block: () throws -> Value) rethrows -> Value {
        guard case .lent(let lending)? = usage.isolation?.owner else { return try block() }
        return try lending.running(block)
    }

    /// Returns the check for the contexts of an isolation; nil if the check is off.
    static func makeIsolation(
        _ coordinator: PersistentStoreCoordinator, owner: (any Actor)?, lender: Lending.Lender?
    ) -> IsolationWatch? {
        guard coordinator.watching.checksConcurrency else { return nil }
        if let lender { return IsolationWatch(.lent(Lending(lender))) }
        guard let owner else { return IsolationWatch(.anyone) }
        let known = ContextOwner(owner)
        if case .actor(let actor) = known { OwnerActors.add(actor) }
        return IsolationWatch(known)
    }
}
