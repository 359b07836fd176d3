import RecordStackModel
import RecordStackPlatform
import Synchronization

// The warnings of a stack, except those of long waits. The handler runs on its own thread while the
// thread that caused the warning waits. A property read may cause a warning, and it promises to
// release nothing that its reader sees.
extension Watching {
    /// Reports a warning about the current thread.
    func warn(_ kind: StackWarning.Kind, _ message: String) {
        BlockingHop.run { [self] in tell(StackWarning(kind, message)) }
    }

    /// Warns if the main actor has been busy with the store for longer than the limit.
    ///
    /// Each stack warns of this only once.
    func noteMainThreadWork(since begin: UInt64, _ what: () -> String) {
        let time = MonotonicClock.nanoseconds &- begin
        if time < mainThreadLimit || hasWarnedOfMainThread.exchange(true, ordering: .relaxed) {
            return
        }
        let location = CallSite.current.map { ", at \($0)" } ?? ""
        warn(
            .mainThreadWork,
            "The main actor was busy for \(time / 1_000_000) ms with \(what())\(location). Ask for less "
                + "(pages, prefetching, values instead of objects), or do it elsewhere: with "
                + "stack.read { … } or stack.saveWithBlock { … }, and try await save() to save.")
    }
}

extension ManagedObjectContext {
    /// Records the end of an operation that has used the store since a moment.
    @inline(never)
    func noteDiskWork(since begin: UInt64, _ statistics: StoreStatistics) {
        let monitor = monitor
        coordinator.watching.noteMainThreadWork(since: begin) {
            "an operation of “\(monitor.name)” (\(monitor.path)), which ran \(statistics.statements) "
                + "statements and read \(statistics.rowsRead) rows"
        }
    }

    /// Warns that changed objects are based on discarded changes of an ancestor.
    func noteMovedParent(_ objects: [ManagedObject]) {
        guard coordinator.watching.warns, !usage.hasWarnedOfParent, let parent = parentContext,
            let object = objects.first
        else { return }
        usage.hasWarnedOfParent = true
        let others = objects.count == 1 ? "" : " and \(objects.count - 1) more"
        coordinator.watching.warn(
            .parentMovedOn,
            "The context “\(name)” (\(monitor.path)) is used with changes of \(object.objectID)\(others) "
                + "that rest on changes of its parent “\(parent.name)”, which has rolled them back or "
                + "forgotten them since. Saving them is a conflict where both have changed the same property. "
                + "Push or drop a child before its parent is rolled back, refreshed or reset.")
    }
}

extension ManagedObject {
    /// Warns that a slot of a detached object was set.
    final func noteSettingDetached(_ slot: Int) {
        let watching = anchor.coordinator.watching
        guard watching.warns,
            !watching.hasWarnedOfDetachedObject.exchange(true, ordering: .relaxed)
        else { return }
        let name = Self.entityDescription.slots[slot].name
        watching.warn(
            .detachedObject,
            "\(name) was set of \(objectID), which \(absence ?? "belongs to no context any more"). Nobody will "
                + "save it: find the object again, or create a new one, and set that.")
    }
}

extension PersistentStoreCoordinator {
    /// Times a save for which the caller waits.
    func timingOnMain<Value>(
        _ capture: SaveCapture, _ body: () throws -> Value
    ) rethrows -> Value {
        guard watching.warns, CurrentIsolation.isKnownToBeMain else { return try body() }
        let begin = MonotonicClock.nanoseconds
        defer {
            watching.noteMainThreadWork(since: begin) {
                "a save of “\(capture.ticket.asker?.name ?? "")” "
                    + "(\(capture.ticket.asker?.path ?? "root")) that waits"
            }
        }
        return try body()
    }
}
