public import RecordStackModel

extension ManagedObjectContext {
    /// Saves the changes of this context and of its ancestors to the store, all or nothing.
    ///
    /// ```swift
    /// let outcome = try await context.save()
    /// ```
    ///
    /// The changes are checked and captured before they are written. What is edited meanwhile stays
    /// a change of the saved values, and another save of the same context waits. When the save
    /// returns, every context of the chain has taken it in; where it throws, nothing was applied
    /// anywhere, and a corrected save succeeds.
    ///
    /// - Parameters:
    ///   - options: what the save promises beyond the usual, such as ``SaveOptions/durable``.
    ///   - mergePolicy: what becomes of objects that others have changed, too; the context's
    ///     ``mergePolicy`` where it is nil.
    /// - Throws: ``RecordStackError/Code/validation``, ``RecordStackError/Code/conflict``,
    ///   ``RecordStackError/Code/constraint``, what the store says, and `CancellationError` where
    ///   the task was cancelled before the changes were written. Cancelled later, the save
    ///   completes.
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
        } while tree.isWriting || !tree.claimTurn(ticket)
        let begun = try withExtendedLifetime(held) { try beginSave(options, policy, as: ticket) }
        guard let capture = begun else { return .noChanges }
        defer { endSave() }
        return try await coordinator.commit(capture)
    }

    /// Another stack on the file has deleted what the changes refer to, of which this one has not heard. What
    /// the context and its ancestors hold is looked at by version, so that the references become nil, as
    /// they would have if it had been heard of.
    private func expectGoneReferences() {
        for context in chain {
            context.versionRefresh.demandRefreshByVersion()
        }
    }

    /// Saves as ``save(_:mergePolicy:)`` does, and waits for it.
    ///
    /// A save that is under way is waited for first.
    @available(*, noasync, message: "Use save(), which does not block the thread.")
    @discardableResult
    public func saveAndWait(
        _ options: SaveOptions = [], mergePolicy: MergePolicy? = nil
    ) throws -> SaveOutcome {
        try saveNow(options, mergePolicy, as: "saveAndWait()")
    }

    /// What every save begins with.
    private func enterSave(_ call: String) throws {
        try enter()
        try coordinator.hooks.refuse(call)
        try coordinator.store.checkUsable()
        beginSaveOperation()
    }

    /// The waiting save, for callers that know that blocking is right.
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
            // A context that is used no more need not hear of its own save.
            coordinator.log.remove(cursor)
            capture = capture.withoutOrigins()
        }
        defer {
            ticket.finish()
            endSave()
        }
        return try coordinator.commitAndWait(capture, cancellation)
    }

    /// Saves after the call has returned.
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

    /// True if a save of this context runs, is in doubt, or is committed but not taken in yet. The order of the questions
    /// matters: a commit is in the log before its save ends.
    var mayBeSaved: Bool {
        tree.isWriting || coordinator.isInDoubt(of: origin) || cursor.hasUnread
    }

    /// The same, where unread commits of other contexts do not count.
    var isSavedUnheard: Bool {
        tree.isWriting || coordinator.isInDoubt(of: origin)
            || cursor.holdsOwn(origin)
            || merger.pendingCommits.contains { $0.isOwn(origin) }
    }

    func waitForSaveUnderWay() throws {
        if tree.isWriting { coordinator.waitForWriter() }
        try coordinator.resolveInDoubtAndWait()
    }

    /// Returns when no other save of a relative is under way, and announces one.
    func waitForTurn() throws -> SaveTicket {
        let ticket = SaveTicket()
        repeat { try waitForSaveUnderWay() } while !tree.claimTurn(ticket)
        return ticket
    }

    /// Captures what is to be saved; nil where there is nothing.
    /// - Parameter isWaited: whether nobody can use the context while it is written.
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
        // An earlier save that was in doubt may have been resolved only now.
        hearOfSave()
        parentView.letAncestorsCatchUp()
        // What the one that is stood for has saved by itself comes before what it has changed since.
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
        // A save leaves of what is published what was edited since: that must not be older than what is saved.
        publishTreeChanges()
        capture.ticket.asker = monitor
        if !isWaited || tree.isShared { capture.ticket.write(WrittenChanges(capture)) }
        tree.begin(capture.ticket)
        if capture.changes.writesSomething { expectDidSave(of: capture.ticket) }
        return capture
    }
}
