public import FoundationEssentials
public import RecordStackGraph
public import RecordStackImport
import RecordStackModel

extension ContextStack {
    /// Imports JSON in the background.
    ///
    /// ```swift
    /// let report = try await stack.importJSON(.file(url), at: "people", into: Person.self)
    /// ```
    ///
    /// Each row changes the object with the same identity, or becomes a new object.
    /// `Person.importJSON` explains how the import treats a row. The import reads the source in
    /// pieces, so a file can be larger than memory. It cannot check the whole text first: if it
    /// finds an error, the rows that it has already saved stay saved. By default, the import saves
    /// each batch in a separate block, like ``saveWithBlock(_:)``, and other blocks can run in
    /// between. If another import creates the same object at the same time, this import repeats its
    /// batch and finds that object.
    ///
    /// - Parameters:
    ///   - source: The source of the text or the rows.
    ///   - keyPath: The key path of the rows in the text, or in each line for
    ///     ``ImportFormat/ndjson``.
    ///   - type: The entity.
    ///   - scope: The objects to delete at the end unless a row describes them, such as
    ///     `Person.all`. See `Person.importJSON`.
    ///   - commit: `.everyBatch` saves after each batch, and `.once` saves everything at the end. A
    ///     dry run saves nothing.
    ///   - options: The options, such as the format of the text and the number of rows in a batch.
    ///   - hooks: A closure that adds hooks to its argument. The import calls the closure again for
    ///     each batch that it saves.
    ///   - progress: Called after each batch, on any thread.
    /// - Throws: ``RecordStackError/Code/closed`` if the stack is closed, even for an empty source.
    ///   ``RecordStackError/Code/importFailed`` if the text is not JSON, has nothing at the key
    ///   path, or has more problems than the options allow. Also any error of
    ///   ``saveWithBlock(_:)``, and `CancellationError` if the task is cancelled. Batches that were
    ///   saved before the error stay saved.
    @discardableResult
    public func importJSON<Entity: ManagedObject>(
        _ source: ImportSource, at keyPath: String? = nil, into type: Entity.Type,
        deletingOthers scope: FetchRequest<Entity>? = nil, commit: ImportCommit = .everyBatch,
        options: ImportOptions = .patch,
        hooks: @escaping @Sendable (inout ImportHooks) -> Void = { _ in },
        progress: (@Sendable (ImportProgress) -> Void)? = nil
    ) async throws -> ImportReport {
        try requireOpen()
        let plan = ImportPlan(
            type, at: keyPath, options, watchesObjects: scope != nil, hooks)
        let batches = try ImportBatches(
            of: source, at: keyPath, options, entity: type.entityDescription)
        var tally = ImportTally(of: batches, progress: progress)
        if commit == .once || options.isDryRun {
            let queue = newPrivateQueueContext()
            queue.name = "import"
            let room = ImportRoom()
            try await batches.forEach { batch in
                let before = tally.report.problems.count
                let outcome = try await queue.perform {
                    try room.run(batch, plan, after: before, in: $0)
                }
                tally.add(outcome, of: batch)
            }
            let before = tally.report.problems.count
            tally.add(
                deletion: try await queue.perform {
                    try room.finish($0, scope, plan, after: before)
                })
            return tally.report
        }
        try await batches.forEach { batch in
            let before = tally.report.problems.count
            let state = tally.state
            let outcome = try await plan.retrying {
                try await self.saveWithBlock {
                    try plan.run(batch, after: before, from: state, in: $0)
                }
            }
            tally.add(outcome, of: batch)
        }
        for part in tally.waitingParts {
            let before = tally.report.problems.count
            tally.add(
                try await plan.retrying {
                    try await self.saveWithBlock { try plan.link(part, after: before, in: $0) }
                })
        }
        if let scope {
            let seen = tally.seen
            let deletion = try await plan.retrying {
                try await self.saveWithBlock { try plan.deleteOthers(of: scope, but: seen, in: $0) }
            }
            tally.add(deletion: deletion)
        }
        return tally.report
    }

    /// Imports JSON from memory, in the background.
    ///
    /// The import works like
    /// `importJSON(_:at:into:deletingOthers:commit:options:hooks:progress:)`.
    @discardableResult
    public func importJSON<Entity: ManagedObject>(
        _ data: Data, at keyPath: String? = nil, into type: Entity.Type,
        deletingOthers scope: FetchRequest<Entity>? = nil, commit: ImportCommit = .everyBatch,
        options: ImportOptions = .patch,
        hooks: @escaping @Sendable (inout ImportHooks) -> Void = { _ in },
        progress: (@Sendable (ImportProgress) -> Void)? = nil
    ) async throws -> ImportReport {
        try await importJSON(
            .data(data), at: keyPath, into: type, deletingOthers: scope, commit: commit,
            options: options, hooks: hooks, progress: progress)
    }

    /// Imports JSON, and blocks the thread until the import is done.
    ///
    /// Works like `importJSON(_:at:into:deletingOthers:commit:options:hooks:progress:)`.
    ///
    /// - Throws: Any error of
    ///   `importJSON(_:at:into:deletingOthers:commit:options:hooks:progress:)`, and
    ///   ``RecordStackError/Code/misuse`` for an asynchronous source (`.bytes` or `.chunks`).
    @available(*, noasync, message: "Use importJSON, which does not block the thread.")
    @discardableResult
    public func importJSONAndWait<Entity: ManagedObject>(
        _ source: ImportSource, at keyPath: String? = nil, into type: Entity.Type,
        deletingOthers scope: FetchRequest<Entity>? = nil, commit: ImportCommit = .everyBatch,
        options: ImportOptions = .patch,
        hooks: @escaping @Sendable (inout ImportHooks) -> Void = { _ in },
        progress: ((ImportProgress) -> Void)? = nil
    ) throws -> ImportReport {
        try requireOpen()
        let plan = ImportPlan(
            type, at: keyPath, options, watchesObjects: scope != nil, hooks)
        let batches = try ImportBatches(
            of: source, at: keyPath, options, entity: type.entityDescription)
        var tally = ImportTally(of: batches, progress: progress)
        if commit == .once || options.isDryRun {
            let queue = newPrivateQueueContext()
            queue.name = "import"
            let room = ImportRoom()
            try batches.forEachNow { batch in
                let before = tally.report.problems.count
                let outcome = try queue.performAndWait {
                    try room.run(batch, plan, after: before, in: $0)
                }
                tally.add(outcome, of: batch)
            }
            let before = tally.report.problems.count
            tally.add(
                deletion: try queue.performAndWait {
                    try room.finish($0, scope, plan, after: before)
                })
            return tally.report
        }
        try batches.forEachNow { batch in
            let before = tally.report.problems.count
            let state = tally.state
            let outcome = try plan.retryingNow {
                try self.saveWithBlockAndWait {
                    try plan.run(batch, after: before, from: state, in: $0)
                }
            }
            tally.add(outcome, of: batch)
        }
        for part in tally.waitingParts {
            let before = tally.report.problems.count
            tally.add(
                try plan.retryingNow {
                    try self.saveWithBlockAndWait { try plan.link(part, after: before, in: $0) }
                })
        }
        if let scope {
            let seen = tally.seen
            let deletion = try plan.retryingNow {
                try self.saveWithBlockAndWait {
                    try plan.deleteOthers(of: scope, but: seen, in: $0)
                }
            }
            tally.add(deletion: deletion)
        }
        return tally.report
    }
}

extension ImportPlan {
    /// Deletes the objects of a request that no row describes.
    fileprivate func deleteOthers<Entity: ManagedObject>(
        of scope: FetchRequest<Entity>, but seen: SeenObjects, in context: ManagedObjectContext
    ) throws -> ImportReport {
        let importer = try makeImporter(in: context)
        try importer.deleteOthers(of: scope, but: seen)
        return importer.sortedReport
    }
}

extension ImportRoom {
    /// Deletes the objects of a request that no row describes, and saves the whole import.
    ///
    /// - Parameter problems: The number of problems that the import had before.
    fileprivate func finish<Entity: ManagedObject>(
        _ context: ManagedObjectContext, _ scope: FetchRequest<Entity>?, _ plan: ImportPlan,
        after problems: Int
    ) throws -> ImportReport {
        // If the source has no rows, no importer exists yet.
        let importer = try importer ?? plan.makeImporter(in: context)
        importer.forgetReport()
        importer.problemsBefore = problems
        _ = try importer.finish()
        if let scope {
            try importer.deleteOthers(of: scope, but: importer.seen ?? SeenObjects())
        }
        _ = try context.saveAndWait()
        return importer.sortedReport
    }
}
