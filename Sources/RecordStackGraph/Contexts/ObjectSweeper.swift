import RecordStackPlatform

/// Lets go of objects that nobody but their context holds.
final class ObjectSweeper: ContextPart {
    // @exclusivity(unchecked): only the context's isolation uses these numbers, one whole value at a time.

    /// When the last look for such objects ended, and how long it took, in nanoseconds.
    @exclusivity(unchecked) private var last: UInt64 = 0
    @exclusivity(unchecked) private var duration: UInt64 = 0
    /// When the retained owners of join rows were last released.
    @exclusivity(unchecked) private var lastRelease: UInt64 = 0

    /// Looks for objects that nobody holds any more: when a table has grown so much that it is paid for,
    /// and otherwise so seldom that looking takes a hundredth of the time at most.
    func sweepIfPaid(_ tables: ContiguousArray<EntityTable>) {
        let slots = tables.reduce(0) { $0 + $1.map.slotCount }
        if slots == 0 { return }
        let now = MonotonicClock.nanoseconds
        // A sweep that was interrupted says nothing of how long one takes.
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

    /// Sweeps a table before an object is created, if the table has grown enough: so a context that only creates and saves lets
    /// go of saved objects, too. Reads no clock, which would take about as long as creating an object.
    @inline(__always)
    func sweepIfGrown(_ table: EntityTable) {
        if table.wantsSweep && context.activeReader == nil && !context.hooks.isHeld { sweep(table) }
    }

    /// Lets go of the objects of a table that nobody else holds.
    func sweep(_ table: EntityTable) {
        for object in table.map.sweep(held: table.dirtyObjects.count) {
            if !loadedMembers.isEmpty {
                context.members.forgetMembers(of: object.takeUnretainedValue())
            }
            object.release()
        }
    }

    /// Releases the retained owners without changed join rows. It spends at most a twentieth of the time on that:
    /// looking up one owner among the changed join rows takes half a microsecond.
    private func releaseRelatedIfPaid(_ now: UInt64) {
        let owners = UInt64(context.joinRowEdits.retainedOwners.count)
        if now &- lastRelease < owners * 10_000 { return }
        lastRelease = now
        context.joinRowEdits.releaseRelated()
    }
}
