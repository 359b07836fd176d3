package import RecordStackModel
import RecordStackPlatform

extension ManagedObjectContext {
    /// What every throwing operation begins with.
    @inline(__always)
    func enter() throws {
        checkIsolation()
        try errors.throwPending()
        if usage.isClosed || coordinator.isClosed { throw RecordStackError.closedStack }
    }

    /// The check with which every operation begins, for one that is given nothing to do and would not get as far.
    /// - Throws: ``RecordStackError/Code/closed`` where the stack is closed; what a property read has met before.
    package func requireOpen() throws { try enter() }

    /// Runs an operation with a reader, which reads what is committed now.
    ///
    /// An operation inside of another one uses its reader, so that both see the same rows.
    package func reading<Result>(
        transaction: Bool = false, _ body: (any StoreReader) throws -> Result
    ) throws -> Result {
        try reading(onlyHeld: false, transaction: transaction, body)
    }

    /// - Parameter onlyHeld: true if the body looks up objects by their keys alone, so that only registered objects have to
    ///   show what ancestors have changed.
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
            try bringUpToDate(with: reader, onlyHeld: onlyHeld)
            // Not before: what was taken in must not be newer than what is read, or what is read stays behind.
            if transaction { try reader.beginTransaction() }
            tree.isPinned = true
            defer { tree.isPinned = false }
            return try body(reader)
        }
        callDueHooks()
        if tree.published != nil { publisher.publishChangesAfterTurn() }
        return result
    }

    /// What an operation begins with, for a body that most often has nothing to read: a reader is taken from the store
    /// when something is asked for.
    /// - Parameter onlyHeld: true if the body runs no request in this context.
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

    /// Takes in what was committed, and puts right what merges have left behind.
    private func bringUpToDate(with reader: any StoreReader, onlyHeld: Bool) throws {
        let position = try reader.position()
        if parentContext != nil || !shown.confirm(at: position) {
            try shown.takeIn(upTo: position, with: reader)
        }
        if parentContext == nil && !versionRefresh.needsRefreshByVersion && !repair.isNeeded {
            return
        }
        try parentView.bringUpToDate(with: reader, onlyHeld: onlyHeld)
    }

    /// Runs a body with a reader, without the beginnings of an operation: objects that nobody else
    /// holds stay.
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

    /// The reader of the operation under way, for what the operation has to read besides.
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

    /// What was kept for the properties that were read since the last operation is kept no more.
    @inline(__always)
    func beginOperation() {
        loader.forgetPlaceholders()
        coordinator.noteOperation()
        beginLoading()
    }

    /// The same for loading a batch between two operations, which leaves placeholders as they are.
    func beginLoading() {
        loader.forgetBatches()
        sweeper.sweepIfPaid(tables)
    }

    /// What a save begins with, in this context and its ancestors.
    func beginSaveOperation() {
        // A log of which somebody reads cannot be begun anew.
        if isInBlock || usage.pace.isOfLoop { coordinator.store.endBursts() }
        if activeReader == nil { forEachUp { $0.beginOperation() } }
    }

    var loadedMembers: MemberRegistry {
        get { anchor.loadedMembers }
        _modify { yield &anchor.loadedMembers }
    }

    /// Whether it has objects or members that commits of others can change.
    var holdsSomething: Bool {
        !loadedMembers.isEmpty || tables.contains { $0.map.count > 0 }
            || joinRowEdits.links.contains { !$0.isEmpty }
    }

    func table(of entity: Int) -> EntityTable {
        tables[coordinator.model.modelEntities[entity].hierarchy]
    }

    /// The index of an object's entity in the model.
    func entityIndex(of object: ManagedObject) -> Int {
        coordinator.types.requireIndex(of: type(of: object))
    }
}

/// Where a reader stood when an operation began, and when that was if it is of interest.
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
    /// For work that takes long: an import asks between its batches.
    /// - Throws: `CancellationError` where the task was cancelled that runs, or that awaits the save block.
    package func checkCancellation() throws {
        try Task.checkCancellation()
        try forEachUp { try $0.usage.cancellation?.check() }
    }
}
