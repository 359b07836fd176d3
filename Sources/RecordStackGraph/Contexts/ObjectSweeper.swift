import RecordStackPlatform

/// Releases the objects that only their context references.
final class ObjectSweeper: ContextPart {
    // @exclusivity(unchecked): only the context's isolation uses these numbers, one whole value at
    // a time.

    /// The time when the last sweep ended, and its duration, in nanoseconds.
    @exclusivity(unchecked) private var last: UInt64 = 0
    @exclusivity(unchecked) private var duration: UInt64 = 0
    /// The time when the retained owners of join rows were last released.
    @exclusivity(unchecked) private var lastRelease: UInt64 = 0

    /// Sweeps the tables if it pays.
    ///
    /// A table is swept if it has grown enough. Otherwise sweeps are so rare that they take a
    /// hundredth of the time at most.
    func sweepIfPaid(_ tables: ContiguousArray<EntityTable>) {
        let slots = tables.reduce(0) { $0 + $1.map.slotCount }
        if slots == 0 { return }
        let now = MonotonicClock.nanoseconds
        // The cap guards against a sweep that was interrupted and therefore took long.
        let rest = min(duration * 100, UInt64(slots) * 2_000)
        let isDue = now &- last >= max(50_000, rest)
        if isDue {
            releaseRelatedIfPaid(now)
            context.loader.releasePrefetched()
        }
        for table in tables where table.mayBeSwept && (isDue || table.wantsSweep) { sweep(table) }
        if !isDue { return }
        last = MonotonicClock.nanoseconds
        duration = last &- now
    }

    /// Sweeps a table before an object is created, if the table has grown enough.
    ///
    /// So a context that only creates and saves releases its saved objects, too. The call reads no
    /// clock, which would take about as long as creating an object.
    @inline(__always)
    func sweepIfGrown(_ table: EntityTable) {
        if table.wantsSweep && context.activeReader == nil && !context.hooks.isHeld { sweep(table) }
    }

    /// Releases the objects of a table that nothing else references.
    func sweep(_ table: EntityTable) {
        for object in table.map.sweep(held: table.dirtyObjects.count) {
            if !loadedMembers.isEmpty {
                context.members.forgetMembers(of: object.takeUnretainedValue())
            }
            object.release()
        }
    }

    /// Releases the retained owners without changed join rows, if enough time has passed.
    ///
    /// It spends at most a twentieth of the time on this: looking up one owner among the changed
    /// join rows takes half a microsecond.
    private func releaseRelatedIfPaid(_ now: UInt64) {
        let owners = UInt64(context.joinRowEdits.retainedOwners.count)
        if now &- lastRelease < owners * 10_000 { return }
        lastRelease = now
        context.joinRowEdits.releaseRelated()
    }
}
