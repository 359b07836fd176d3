import RecordStackModel

/// The connections that read, while they are not in use.
struct ReaderPool {
    private(set) var idle: [SQLiteConnection] = []
    /// The connections whose read transaction stands for a continuing burst.
    private(set) var standing: [SQLiteConnection] = []
    var opened = 1
    var isClosed = false
    /// True if the log must be free of readers, so that no transaction outlives its operation.
    private(set) var refusesStanding = false
    /// True if a check of the standing transactions is scheduled.
    private var isToEndStanding = false
    /// The counters of all open connections, and below them the counts of closed connections.
    var counters: [ConnectionCounters] = []
    var counted = StoreStatistics()

    var count: Int { idle.count + standing.count }

    mutating func takeIdle(inBurst: Bool) -> SQLiteConnection? {
        if inBurst, let reader = standing.popLast() { return reader }
        if let reader = idle.popLast() { return reader }
        guard let reader = standing.popLast() else { return nil }
        reader.endTransaction()
        return reader
    }

    /// Returns a reader to the pool.
    ///
    /// - Returns: true if its transaction stands and the caller must schedule a check.
    mutating func put(_ reader: SQLiteConnection) -> Bool {
        if refusesStanding { reader.endTransaction() }
        guard reader.reading.holder != nil else {
            idle.append(reader)
            return false
        }
        standing.append(reader)
        defer { isToEndStanding = true }
        return !isToEndStanding
    }

    /// Ends standing transactions.
    ///
    /// - Parameter isDue: returns true for a transaction to end. The others are
    ///   checked again later.
    /// - Returns: true if a transaction still stands.
    mutating func endStanding(where isDue: (SQLiteConnection) -> Bool) -> Bool {
        let due = standing.filter(isDue)
        for reader in due { reader.endTransaction() }
        standing.removeAll { $0.reading.holder == nil }
        idle += due
        isToEndStanding = !standing.isEmpty
        return isToEndStanding
    }

    mutating func refuseStanding(_ refuses: Bool) {
        refusesStanding = refuses
        if refuses { _ = endStanding { _ in true } }
    }

    mutating func takeAll() -> [SQLiteConnection] {
        defer { (idle, standing) = ([], []) }
        return idle + standing
    }

    mutating func adopt(_ reader: SQLiteConnection) {
        idle.append(reader)
        opened = reader.number
        counters.append(reader.counters)
    }
}
