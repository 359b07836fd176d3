import Dispatch
public import RecordStackModel

extension ContextStack {
    /// The statements that the stack has run so far, and the rows that it has read and written.
    public var storeStatistics: StoreStatistics { coordinator.store.statistics }

    /// The sizes of the store: its file, its WAL, its pages and its free pages.
    ///
    /// Reading the sizes takes about ten microseconds.
    ///
    /// - Throws: ``RecordStackError/Code/closed``, and the store's errors.
    public var storeSize: StoreSize {
        get throws {
            try coordinator.store.size()
        }
    }

    /// Copies the store to a file while it is in use.
    ///
    /// ```swift
    /// try await stack.backup(to: "people-monday.sqlite")
    /// ```
    ///
    /// The copy is the store as of one moment after the call. It contains every save that had
    /// returned by then. Saves continue during the backup, and the WAL grows meanwhile. You can
    /// also copy a store in memory, but other work with that store waits until the copy is done.
    ///
    /// The copy is one file, which a stack opens like any other store. It appears under its name
    /// when it is complete and on the disk. Until then, and after a failure, at most one other file
    /// exists beside it, whose name ends in `.backup`.
    ///
    /// - Parameters:
    ///   - path: The new file, in an existing folder.
    ///   - replacing: True to replace an existing file, in one step.
    ///   - progress: Called after each megabyte, on one of the stack's queues.
    /// - Throws: ``RecordStackError/Code/fileExists`` if the file exists and `replacing` is false,
    ///   ``RecordStackError/Code/busy`` if a store is open under that name,
    ///   ``RecordStackError/Code/misuse`` for the path of the store itself,
    ///   ``RecordStackError/Code/full``, other errors of the store, and `CancellationError` if the
    ///   task was cancelled. A call that throws leaves no backup.
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
    /// The check reads every page and compares every index with its table and every value with its
    /// attribute's type. It takes about ten seconds for a gigabyte. Saves and reads continue.
    ///
    /// - Returns: The problems found, at most a hundred of each kind; empty for a sound store.
    /// - Throws: The errors that prevent the check, such as ``RecordStackError/Code/closed``.
    public func integrityCheck() async throws -> [StoreProblem] {
        try await maintaining { try $0.problems() }
    }

    /// Rewrites the store without the free space that deleted objects have left.
    ///
    /// Use it after a store has become much smaller and will stay so: see
    /// ``StoreSize/freePageCount``. New objects use free space without it. Saves wait until the
    /// rewrite is done; reads continue. The rewrite needs disk space for two copies of the store.
    ///
    /// The file shrinks immediately. If an operation is reading at that moment, the file shrinks at
    /// the next checkpoint.
    ///
    /// - Throws: ``RecordStackError/Code/busy``, ``RecordStackError/Code/full``,
    ///   ``RecordStackError/Code/readOnly``, and other errors of the store, which is then
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
