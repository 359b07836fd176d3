package import RecordStackModel
import RecordStackPlatform

extension ManagedObjectContext {
    /// Runs the checks with which every throwing operation begins.
    @inline(__always)
    func enter() throws {
        checkIsolation()
        try errors.throwPending()
        if usage.isClosed || coordinator.isClosed { throw RecordStackError.closedStack }
    }

    /// Checks that the stack is open, for an operation that has nothing to do.
    ///
    /// - Throws: ``RecordStackError/Code/closed`` if the stack is closed, and the pending error of
    ///   an earlier property read.
    package func requireOpen() throws { try enter() }

    /// Runs an operation with a reader of the current commits.
    ///
    /// An operation inside another operation uses the outer one's reader, so that both see the same
    /// rows.
    package func reading<Result>(
        transaction: Bool = false, _ body: (any StoreReader) throws -> Result
    ) throws -> Result {
        try reading(onlyHeld: false, transaction: transaction, body)
    }

    /// Runs an operation with a reader of the current commits.
    ///
    /// - Parameter onlyHeld: True if the body looks up objects by key only, so that only registered
    ///   objects need the ancestors' changes.
    func reading<Result>(
        onlyHeld: Bool, transaction: Bool = false, _ body: (any StoreReader) throws -> Result
    ) throws -> Result {
        try enter()
        if let activeReader { return try body(activeReader) }
        let use = beginUse()
        usage.isOperating = true
        defer {
            usage.isOperating = false
            endUse(use)
        }
        beginOperation()
        let result = try withNewReader { reader in
            try mergeAndBringUpToDate(with: reader, onlyHeld: onlyHeld)
            // A transaction that began earlier would not see the commits that were merged since.
            // The operation would then read outdated rows into objects.
            if transaction { try reader.beginTransaction() }
            tree.isPinned = true
            defer { tree.isPinned = false }
            return try body(reader)
        }
        callDueHooks()
        if tree.published != nil { publisher.publishChangesAfterTurn() }
        return result
    }

    /// Merges new commits and runs a body that rarely reads.
    ///
    /// It takes a reader from the store only when something must be read.
    ///
    /// - Parameter onlyHeld: True if the body runs no request in this context.
    func upToDate<Result>(
        onlyHeld: Bool = false, _ body: () throws -> Result
    ) throws -> Result {
        try enter()
        if activeReader != nil { return try body() }
        let use = beginUse()
        usage.isOperating = true
        defer {
            usage.isOperating = false
            endUse(use)
        }
        beginOperation()
        let result = try withReaderOnDemand { reader in
            merger.mergeCommits()
            try parentView.bringUpToDate(with: reader, onlyHeld: onlyHeld)
            return try body()
        }
        callDueHooks()
        if tree.published != nil { publisher.publishChangesAfterTurn() }
        return result
    }

    private func withReaderOnDemand<Result>(
        _ body: (any StoreReader) throws -> Result
    ) throws -> Result {
        let reader = ReaderOnDemand(of: coordinator.store)
        let before = beginReading(with: reader)
        defer { endReading(with: reader, before) }
        return try body(reader)
    }

    /// Merges new commits, and repairs what earlier merges have left inconsistent.
    private func mergeAndBringUpToDate(with reader: any StoreReader, onlyHeld: Bool) throws {
        let position = try reader.position()
        if parentContext != nil || !shown.confirm(at: position) {
            try shown.takeIn(upTo: position, with: reader)
        }
        if parentContext == nil && !versionRefresh.needsRefreshByVersion && !repair.isNeeded {
            return
        }
        try parentView.bringUpToDate(with: reader, onlyHeld: onlyHeld)
    }

    /// Runs a body with a reader, without beginning an operation.
    ///
    /// It releases no objects, even if only the context references them.
    func withReader<Result>(
        _ body: (any StoreReader) throws -> Result
    ) throws -> Result {
        if let activeReader { return try body(activeReader) }
        let use = beginUse()
        defer { endUse(use) }
        return try withNewReader { reader in
            try body(shown.readerBehind(reader))
        }
    }

    @inline(__always)
    private func withNewReader<Result>(
        _ body: (any StoreReader) throws -> Result
    ) throws -> Result {
        let reader = try coordinator.store.reader(inBurst: readsInBurst())
        let before = beginReading(with: reader)
        defer { endReading(with: reader, before) }
        return try body(reader)
    }

    /// The reader of the current operation, for further reads in it.
    var activeReader: (any StoreReader)? {
        get { tree.reader }
        set { tree.reader = newValue }
    }

    @inline(__always)
    func beginReading(with reader: any StoreReader) -> ReadingStart {
        activeReader = reader
        return ReadingStart(
            statistics: reader.statistics,
            time: usage.timesOperations ? MonotonicClock.nanoseconds : 0)
    }

    @inline(__always)
    func endReading(with reader: any StoreReader, _ start: ReadingStart) {
        activeReader = nil
        let done = reader.statistics - start.statistics
        monitor.counters.add(done)
        reader.end()
        usage.readings &+= 1
        coordinator.giveWayToSave(after: usage.readings)
        if usage.timesOperations { noteDiskWork(since: start.time, done) }
    }

    /// Begins an operation: forgets what earlier property reads have kept, and sweeps if it pays.
    @inline(__always)
    func beginOperation() {
        loader.forgetPlaceholders()
        coordinator.noteOperation()
        beginLoading()
    }

    /// Prepares the loading of a batch between two operations; placeholder objects stay.
    func beginLoading() {
        loader.forgetBatches()
        sweeper.sweepIfPaid(tables)
    }

    /// Begins a save in this context and its ancestors.
    func beginSaveOperation() {
        // The WAL cannot restart while a transaction reads from it.
        if isInBlock || usage.pace.isOfLoop { coordinator.store.endBursts() }
        if activeReader == nil { forEachUp { $0.beginOperation() } }
    }

    var loadedMembers: MemberRegistry {
        get { anchor.loadedMembers }
        _modify { yield &anchor.loadedMembers }
    }

    /// Whether a commit of another context can change objects, members or join rows of this one.
    var holdsSomething: Bool {
        !loadedMembers.isEmpty || tables.contains { $0.map.count > 0 }
            || joinRowEdits.links.contains { !$0.isEmpty }
    }

    func table(of entity: Int) -> EntityTable {
        tables[coordinator.model.modelEntities[entity].hierarchy]
    }

    /// Returns the index of an object's entity in the model.
    func entityIndex(of object: ManagedObject) -> Int {
        coordinator.types.requireIndex(of: type(of: object))
    }
}

/// The reader's statistics at the start of an operation, and the time if operations are timed.
struct ReadingStart {
    let statistics: StoreStatistics
    let time: UInt64
}

extension RecordStackError {
    static var closedStack: RecordStackError {
        RecordStackError(.closed, "The stack was closed. Make a new one to go on.")
    }
}

extension ManagedObjectContext {
    /// Checks for cancellation, which long work such as an import does between its batches.
    ///
    /// - Throws: `CancellationError` if the current task was cancelled, or the task that awaits the
    ///   save block.
    package func checkCancellation() throws {
        try Task.checkCancellation()
        try forEachUp { try $0.usage.cancellation?.check() }
    }
}
