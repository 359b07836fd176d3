public import FoundationEssentials
public import RecordStackGraph
public import RecordStackImport
import RecordStackModel

extension ContextStack {
    /// Imports JSON in the background: each object becomes a new object of an entity, or changes the one that has the
    /// same identity.
    ///
    /// ```swift
    /// let report = try await stack.importJSON(.file(url), at: "people", into: Person.self)
    /// ```
    ///
    /// What becomes of a row is as in `Person.importJSON`. The source is read in pieces, so that a file may be longer
    /// than the memory; it cannot be checked as a whole beforehand, then, and what was saved before a mistake was met
    /// stays. Each batch is saved in a block of its own, as with ``saveWithBlock(_:)``, and other blocks get their turn
    /// in between. Where another import has made the same object meanwhile, the batch is imported again, and finds it.
    ///
    /// - Parameters:
    ///   - source: where the text or the rows come from.
    ///   - keyPath: where the rows are in the text, or, of ``ImportFormat/ndjson``, in each line.
    ///   - type: the entity.
    ///   - scope: objects that are deleted at the end where no row was of them, as `Person.all`: see
    ///     `Person.importJSON`.
    ///   - commit: whether each batch is saved, or all of it at the end. A dry run saves nothing.
    ///   - options: what becomes of nulls, of what is absent and so on; how the text is divided into rows; how many of
    ///     them are a batch.
    ///   - hooks: adds what is called in the course of the import. It is called for every batch.
    ///   - progress: called after every batch, on whatever thread.
    /// - Throws: ``RecordStackError/Code/closed`` where the stack is closed, whatever the source has;
    ///   ``RecordStackError/Code/importFailed`` where the text is no JSON, has nothing at the key path, or more
    ///   problems than the options let it have; what ``saveWithBlock(_:)`` throws; `CancellationError` where the task
    ///   was cancelled, and then the batches before stay.
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

    /// Imports JSON that is in memory, as ``importJSON(_:at:into:deletingOthers:commit:options:hooks:progress:)`` does.
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

    /// Imports JSON as ``importJSON(_:at:into:deletingOthers:commit:options:hooks:progress:)`` does, and waits for it.
    ///
    /// - Throws: what that throws; ``RecordStackError/Code/misuse`` for a source that has to be awaited.
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
    /// Deletes the objects of a request that no row was of.
    fileprivate func deleteOthers<Entity: ManagedObject>(
        of scope: FetchRequest<Entity>, but seen: SeenObjects, in context: ManagedObjectContext
    ) throws -> ImportReport {
        let importer = try makeImporter(in: context)
        try importer.deleteOthers(of: scope, but: seen)
        return importer.sortedReport
    }
}

extension ImportRoom {
    /// Deletes the objects of a request that no row was of, and saves all.
    /// - Parameter problems: how many there were before.
    fileprivate func finish<Entity: ManagedObject>(
        _ context: ManagedObjectContext, _ scope: FetchRequest<Entity>?, _ plan: ImportPlan,
        after problems: Int
    ) throws -> ImportReport {
        // A source without rows has made none.
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
