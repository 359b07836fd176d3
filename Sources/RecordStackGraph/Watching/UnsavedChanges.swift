import RecordStackModel
import RecordStackPlatform
import Synchronization

/// Warns of unsaved changes when the process ends.
///
/// It keeps no stack alive. A stack may be released before the process ends, when `main` leaves the
/// scope that created it. Its default context then leaves a record of its changes.
enum UnsavedChanges {
    private static let entries = Mutex<[Entry]>([])
    /// Registers the report once, when it is first needed.
    private static let registration: Void = {
        CurrentProcess.atExit { UnsavedChanges.report() }
    }()

    /// Reports the unsaved changes of a default context when the process ends.
    static func watch(_ context: ManagedObjectContext, path: String) {
        _ = registration
        context.usage.isWatchedAtExit = true
        let entry = Entry(context, path: path)
        entries.withLock { entries in
            entries.removeAll { $0.hasNothingToReport }
            entries.append(entry)
        }
    }

    /// Records the unsaved changes of a default context that is being released.
    ///
    /// The context's deinit calls it, on any thread.
    static func contextGoes(_ context: ManagedObjectContext) {
        // On the main actor, no other code can be using the objects that outlive their context.
        guard !context.coordinator.isClosed, CurrentIsolation.isKnownToBeMain,
            let counts = context.unsavedCounts
        else { return }
        let monitor = context.monitor
        entries.withLock { entries in
            entries.first { $0.monitor === monitor }?.note.withLock { $0 = counts }
        }
    }

    private static func report() {
        for entry in entries.withLock({ $0 }) { entry.report() }
    }

    /// A default context whose unsaved changes are reported.
    ///
    /// - Note: `@unchecked Sendable`: the weak reference is written once, before the entry is
    ///   shared, and a weak reference may be read while its target is deallocated on another
    ///   thread. The context is used only on the main actor.
    private final class Entry: @unchecked Sendable {
        private weak var context: ManagedObjectContext?
        let monitor: ContextMonitor
        /// The changes that were not saved when the context was released.
        let note = Mutex<String?>(nil)
        private let path: String
        private let watching: Watching
        /// A forked process must not report the changes of its parent process.
        private let process = CurrentProcess.id

        init(_ context: ManagedObjectContext, path: String) {
            self.context = context
            self.path = path
            monitor = context.monitor
            watching = context.coordinator.watching
        }

        /// Whether nothing is left to report.
        var hasNothingToReport: Bool { context == nil && note.withLock { $0 } == nil }

        func report() {
            guard process == CurrentProcess.id, let counts = note.withLock({ $0 }) ?? countsNow
            else {
                return
            }
            watching.tell(
                StackWarning(
                    .unsavedChanges,
                    "The process ends, and what is not saved of “\(monitor.name)” (\(monitor.path)) of "
                        + "\(path) is lost: \(counts). Save it before the end with saveAndWait() or "
                        + "save(), or say that it is not wanted with rollback()."))
        }

        private var countsNow: String? {
            guard CurrentIsolation.isKnownToBeMain, let context, !context.coordinator.isClosed
            else { return nil }
            return context.unsavedCounts
        }
    }
}

extension ManagedObjectContext {
    /// The numbers of unsaved changes, found without an operation; nil if there are none.
    fileprivate var unsavedCounts: String? {
        let changed = tables.flatMap { $0.dirtyObjects.filter(\.hasRowChanges) }
        let inserted = changed.count { $0.has(ObjectFlags.inserted) }
        let deleted = changed.count { $0.isToDelete && !$0.has(ObjectFlags.inserted) }
        let joinRows = joinRowEdits.links.reduce(0) { $0 + $1.edits.count }
        if changed.isEmpty && joinRows == 0 { return nil }
        let counts =
            "\(inserted) inserted, \(changed.count - inserted - deleted) updated, \(deleted) deleted"
        return joinRows == 0 ? counts : counts + ", \(joinRows) pairs of related objects"
    }
}
