import Dispatch
public import RecordStackModel

extension ContextStack {
    /// Counts of the statements that the stack has run and the rows that it has read and written.
    public var storeStatistics: StoreStatistics { coordinator.store.statistics }

    /// The sizes of the store: its file, its WAL, its pages and its free pages.
    ///
    /// Reading the sizes takes about ten microseconds.
    ///
    /// - Throws: ``RecordStackError/Code/closed`` if the stack is closed. Also throws the store's
    ///   errors.
    public var storeSize: StoreSize {
        get throws {
            try coordinator.store.size()
        }
    }

    /// Copies the store to a file while the store is in use.
    ///
    /// ```swift
    /// try await stack.backup(to: "people-monday.sqlite")
    /// ```
    ///
    /// The copy shows the store as it is at one moment during the call. It contains every save that
    /// had returned by that moment. Saves continue during the backup, and the WAL grows meanwhile.
    /// You can also copy a store in memory, but other work with that store waits until the copy is
    /// complete.
    ///
    /// The copy is one file, which a stack can open like any other store. The file appears at
    /// `path` when it is complete and on the disk. Until then, and after a failure, the folder may
    /// contain one other file, whose name ends in `.backup`.
    ///
    /// - Parameters:
    ///   - path: The path of the new file, in an existing folder.
    ///   - replacing: True to replace an existing file, in one step.
    ///   - progress: A closure that is called after each megabyte, on one of the stack's queues.
    /// - Throws: ``RecordStackError/Code/fileExists`` if the file exists and `replacing` is false.
    ///   Throws ``RecordStackError/Code/busy`` if a store is open at `path`, and
    ///   ``RecordStackError/Code/misuse`` if `path` is the path of the store itself. Throws
    ///   ``RecordStackError/Code/full`` and other errors of the store, and `CancellationError` if
    ///   the task is cancelled. A call that throws leaves no backup.
    public func backup(
        to path: String, replacing: Bool = false,
        progress: (@Sendable (BackupProgress) -> Void)? = nil
    ) async throws {
        let cancellation = CancellationFlag()
        try await withTaskCancellationHandler {
            try await maintaining { store in
                try store.backUp(to: path, replacing: replacing) { step in
                    try cancellation.check()
                    progress?(step)
                }
            }
        } onCancel: {
            cancellation.set()
        }
    }

    /// Checks the whole store for damage, dangling references, and values that no object can have.
    ///
    /// ```swift
    /// for problem in try await stack.integrityCheck() { print(problem) }
    /// ```
    ///
    /// The check reads every page. It compares every index with its table, and every value with the
    /// type of its attribute. It takes about ten seconds for a gigabyte. Saves and reads continue
    /// meanwhile.
    ///
    /// - Returns: The problems found, at most a hundred of each kind; empty for a sound store.
    /// - Throws: The errors that prevent the check, such as ``RecordStackError/Code/closed``.
    public func integrityCheck() async throws -> [StoreProblem] {
        try await maintaining { try $0.problems() }
    }

    /// Rewrites the store without the free space that deleted objects have left.
    ///
    /// Use it if a store has become much smaller and will stay small. ``StoreSize/freePageCount``
    /// shows how much space is free. New objects use the free space even without this call. Saves
    /// wait until the rewrite is complete, and reads continue. The rewrite needs disk space for two
    /// copies of the store.
    ///
    /// The file shrinks immediately, or at the next checkpoint if an operation is reading at that
    /// moment.
    ///
    /// - Throws: ``RecordStackError/Code/busy``, ``RecordStackError/Code/full``,
    ///   ``RecordStackError/Code/readOnly``, or another error of the store. The store is then
    ///   unchanged. Throws ``RecordStackError/Code/misuse`` inside a save block.
    public func vacuum() async throws {
        if coordinator.blocks.isInside { throw RecordStackError.waitsForItself("vacuum()") }
        try await coordinator.writing("vacuuming the store") { try $0.vacuum() }
    }

    /// Runs a slow task with the store on a thread of the stack.
    private func maintaining<Value: Sendable>(
        _ body: @escaping @Sendable (any PersistentStore) throws -> Value
    ) async throws -> Value {
        try coordinator.store.checkUsable()
        return try await withCheckedThrowingContinuation { continuation in
            coordinator.queues.readers.async { [coordinator] in
                continuation.resume(
                    with: Result {
                        if coordinator.isClosed { throw RecordStackError.closedStack }
                        return try coordinator.completionThreads.running {
                            try body(coordinator.store)
                        }
                    })
            }
        }
    }
}

extension PersistentStoreCoordinator {
    /// Runs a body with the store between two saves.
    fileprivate func writing(
        _ work: String, _ body: @escaping @Sendable (any PersistentStore) throws -> Void
    ) async throws {
        try store.checkUsable()
        try await withCheckedThrowingContinuation { continuation in
            onWriter { [self] in
                continuation.resume(
                    with: Result {
                        if isClosed { throw RecordStackError.closedStack }
                        try doing(work) { try body(store) }
                    })
            }
        }
    }
}
