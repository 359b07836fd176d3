import Dispatch
public import RecordStackModel

extension ContextStack {
    /// What the stack has asked of its store so far: statements, rows read, rows written.
    public var storeStatistics: StoreStatistics { coordinator.store.statistics }

    /// How large the store is: the file, its log, its pages and those that are free.
    ///
    /// It takes some ten microseconds.
    /// - Throws: ``RecordStackError/Code/closed``, and what the store says.
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
    /// The copy is the store as it was at one moment after the call, with every save that had
    /// returned by then. Nobody waits for it: saves go on, and the log grows meanwhile. It is one
    /// file, which a stack opens like any other store. It appears under its name when it is
    /// complete and on the disk; until then, and where the backup fails, there is at most a file
    /// with a name of its own beside it, which ends in `.backup`. A store in memory is copied to a
    /// file as well, and stands still for so long.
    ///
    /// - Parameters:
    ///   - path: the new file, in a folder that exists.
    ///   - replacing: whether it replaces an existing file, in one step.
    ///   - progress: called after each megabyte, on a queue of the stack's own.
    /// - Throws: ``RecordStackError/Code/fileExists`` where there is a file and it is not to be
    ///   replaced; ``RecordStackError/Code/busy`` where a store is open under that name;
    ///   ``RecordStackError/Code/misuse`` for the store itself; ``RecordStackError/Code/full``; what
    ///   else the store says; and `CancellationError` where the task was cancelled, and then no
    ///   backup was made.
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

    /// Looks through the whole store for damage, for references that refer to nothing, and for values that no object can
    /// have.
    ///
    /// ```swift
    /// for problem in try await stack.integrityCheck() { print(problem) }
    /// ```
    ///
    /// It reads every page, compares every index with its table and every value with its attribute's type: some ten
    /// seconds for a gigabyte. Saves and reads go on.
    /// - Returns: what is wrong, at most a hundred problems of each kind; nothing for a store that
    ///   is sound.
    /// - Throws: what keeps the store from being looked at, such as ``RecordStackError/Code/closed``.
    public func integrityCheck() async throws -> [StoreProblem] {
        try await maintaining { try $0.problems() }
    }

    /// Writes the store anew, without the room that deleted objects have left.
    ///
    /// Saves wait until it is done; reads go on. It needs room on the disk for two copies of the
    /// store meanwhile. New objects use free room by themselves, so this is for a store that has
    /// become much smaller and stays so: see ``StoreSize/freePageCount``.
    ///
    /// The file becomes shorter at once, or, where an operation is reading at that moment, when
    /// the log is next written back.
    /// - Throws: ``RecordStackError/Code/busy``, ``RecordStackError/Code/full``,
    ///   ``RecordStackError/Code/readOnly``, and what else the store says; the store is as it was
    ///   then. ``RecordStackError/Code/misuse`` inside of a save block.
    public func vacuum() async throws {
        if coordinator.blocks.isInside { throw RecordStackError.waitsForItself("vacuum()") }
        try await coordinator.writing("vacuuming the store") { try $0.vacuum() }
    }

    /// Does something with the store on a thread where it may take its time.
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
    /// Does something with the store in turn with the saves.
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
