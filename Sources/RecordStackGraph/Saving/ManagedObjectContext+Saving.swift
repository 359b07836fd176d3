public import RecordStackModel

extension ManagedObjectContext {
    /// Saves the changes of this context and its ancestors to the store, in one transaction.
    ///
    /// ```swift
    /// let outcome = try await context.save()
    /// ```
    ///
    /// The call checks the changes and copies them, and then writes the copy. You can edit objects
    /// while it writes. These edits are unsaved changes, which the next save writes. Another save
    /// of the same context waits. When the call returns, this context and its ancestors have merged
    /// the save. If the call throws, nothing was saved, and you can correct the changes and save
    /// again. The exception is ``RecordStackError/Code/outcomeUnknown``.
    ///
    /// - Parameters:
    ///   - options: Additional guarantees of the save, such as ``SaveOptions/durable``.
    ///   - mergePolicy: The rule that resolves conflicts with changes of other contexts. The
    ///     default is the context's ``mergePolicy``.
    /// - Throws: ``RecordStackError/Code/validation``, ``RecordStackError/Code/conflict``,
    ///   ``RecordStackError/Code/constraint``, or an error of the store. Throws `CancellationError`
    ///   if the task is cancelled before the changes are written. If the task is cancelled later,
    ///   the save completes.
    @discardableResult
    public func save(
        _ options: SaveOptions = [], mergePolicy: MergePolicy? = nil
    ) async throws -> SaveOutcome {
        try enterSave("save()")
        let outcome: SaveOutcome
        do {
            outcome = try await saveOnce(options, mergePolicy)
        } catch let error as RecordStackError where error.isDangling {
            expectGoneReferences()
            outcome = try await saveOnce(options, mergePolicy)
        }
        await coordinator.mergeOnReturnToMain()
        return outcome
    }

    private func saveOnce(
        _ options: SaveOptions, _ policy: MergePolicy?
    ) async throws -> SaveOutcome {
        let ticket = SaveTicket()
        var held: [ManagedObject] = []
        repeat {
            while tree.isWriting { await coordinator.passWriter() }
            try await coordinator.resolveInDoubt()
            merger.mergeCommits(isForced: true)
            parentView.letAncestorsCatchUp()
            try await versionRefresh.refreshByVersionElsewhere()
            held = try await readForRepairElsewhere()
        } while tree.isWriting || !tree.claimSharedTurn(ticket)
        let begun = try withExtendedLifetime(held) { try beginSave(options, policy, as: ticket) }
        guard let capture = begun else { return .noChanges }
        defer { endSave() }
        return try await coordinator.commit(capture)
    }

    /// Makes the chain compare its objects by version, to find a deletion that it has not merged.
    ///
    /// Another stack on the file has deleted an object to which the changes refer. After the
    /// comparison, the references become nil, as they do after a merge.
    private func expectGoneReferences() {
        for context in chain {
            context.versionRefresh.demandRefreshByVersion()
        }
    }

    /// Saves the changes of this context and its ancestors, and blocks until they are written.
    ///
    /// Apart from blocking, the call works like ``save(_:mergePolicy:)``. If a save is running, the
    /// call waits for that save first.
    @available(*, noasync, message: "Use save(), which does not block the thread.")
    @discardableResult
    public func saveAndWait(
        _ options: SaveOptions = [], mergePolicy: MergePolicy? = nil
    ) throws -> SaveOutcome {
        try saveNow(options, mergePolicy, as: "saveAndWait()")
    }

    /// Checks whether a save is allowed here, and begins its operation.
    private func enterSave(_ call: String) throws {
        try enter()
        try coordinator.hooks.refuse(call)
        try coordinator.store.checkUsable()
        beginSaveOperation()
    }

    /// Saves and blocks the thread, for callers that know that blocking is right.
    func saveNow(
        _ options: SaveOptions = [], _ policy: MergePolicy? = nil, as call: String = "A save",
        isLast: Bool = false, _ cancellation: CancellationFlag? = nil
    ) throws -> SaveOutcome {
        try enterSave(call)
        let outcome: SaveOutcome
        do {
            outcome = try saveOnceNow(options, policy, isLast: isLast, cancellation)
        } catch let error as RecordStackError where error.isDangling {
            expectGoneReferences()
            outcome = try saveOnceNow(options, policy, isLast: isLast, cancellation)
        }
        coordinator.mergeOnReturnToMainAndWait()
        return outcome
    }

    private func saveOnceNow(
        _ options: SaveOptions, _ policy: MergePolicy?, isLast: Bool,
        _ cancellation: CancellationFlag?
    ) throws -> SaveOutcome {
        let ticket = try waitForTurn()
        guard var capture = try beginSave(options, policy, as: ticket, isWaited: true) else {
            return .noChanges
        }
        if isLast && parentContext == nil && !hooks.expectsSaves {
            // A context that is not used any more does not have to merge its own save.
            coordinator.log.remove(cursor)
            capture = capture.withoutOrigins()
        }
        defer {
            ticket.finish()
            endSave()
        }
        return try coordinator.commitAndWait(capture, cancellation)
    }

    /// Captures the changes now, and writes them after the call has returned.
    func saveLater(
        _ options: SaveOptions = [],
        completion: @escaping @Sendable (Result<SaveOutcome, any Error>) -> Void
    ) {
        do {
            try enterSave("A save")
            guard let capture = try beginSave(options, nil, as: try waitForTurn()) else {
                return completion(.success(.noChanges))
            }
            coordinator.commit(capture, completion: completion)
        } catch {
            completion(.failure(error))
        }
    }

    /// Whether a save of this context may be running, in doubt, or committed but not merged.
    ///
    /// The order of the checks matters: a commit is in the log before its save ends.
    var mayBeSaved: Bool {
        tree.isWriting || coordinator.isInDoubt(of: origin) || cursor.hasUnread
    }

    /// Whether a save of this context is running, in doubt, or committed but not merged.
    ///
    /// Unlike ``mayBeSaved``, it does not count unread commits of other contexts.
    var isSavedUnheard: Bool {
        tree.isWriting || coordinator.isInDoubt(of: origin)
            || cursor.holdsOwn(origin)
            || merger.pendingCommits.contains { $0.isOwn(origin) }
    }

    func waitForSaveUnderWay() throws {
        if tree.isWriting { coordinator.waitForWriter() }
        try coordinator.resolveInDoubtAndWait()
    }

    /// Waits until no save of a related context is running, and claims the turn.
    func waitForTurn() throws -> SaveTicket {
        let ticket = SaveTicket()
        repeat { try waitForSaveUnderWay() } while !tree.claimSharedTurn(ticket)
        return ticket
    }

    /// Captures the changes to save. Returns nil if there are none.
    ///
    /// - Parameter isWaited: whether the context cannot be used while the save is written.
    private func beginSave(
        _ options: SaveOptions, _ policy: MergePolicy?, as ticket: SaveTicket,
        isWaited: Bool = false
    ) throws -> SaveCapture? {
        let use = beginUse()
        var isBegun = false
        defer {
            endUse(use)
            if !isBegun { ticket.finish() }
        }
        let capture = try tree.capturing(ticket) {
            try captureNow(options, policy, as: ticket, isWaited: isWaited)
        }
        isBegun = capture != nil
        return capture
    }

    private func captureNow(
        _ options: SaveOptions, _ policy: MergePolicy?, as ticket: SaveTicket, isWaited: Bool
    ) throws -> SaveCapture? {
        // An earlier in-doubt save may have been resolved only now.
        hearOfSave()
        parentView.letAncestorsCatchUp()
        // The copied context's own saves come before the changes that it has made since.
        if tree.parentSnapshot != nil { merger.mergeCommits(isForced: true) }
        try takePublishedChanges()
        try repairBeforeCapture()
        let captured = try callingWillSave {
            try changeCapture.captureChain(policy ?? mergePolicy, as: ticket)
        }
        guard var capture = captured else {
            merger.mergeCommits(isForced: true)
            return nil
        }
        capture.options = options
        // The save subtracts its changes from the published ones, so these must not be older.
        publishTreeChanges()
        capture.ticket.asker = monitor
        if !isWaited || tree.isShared { capture.ticket.write(WrittenChanges(capture)) }
        tree.begin(capture.ticket)
        if capture.changes.writesSomething { expectDidSave(of: capture.ticket) }
        return capture
    }
}
