import RecordStackModel

/// The connections that read, while nobody uses them.
struct ReaderPool {
    private(set) var idle: [SQLiteConnection] = []
    /// Those whose read transaction stands, for a burst that goes on.
    private(set) var standing: [SQLiteConnection] = []
    var opened = 1
    var isClosed = false
    /// Whether something needs the log for itself, so that no transaction may outlive its operation.
    private(set) var refusesStanding = false
    /// Whether standing transactions are looked at before long.
    private var isToEndStanding = false
    /// The counters of connections in use and idle, and what those that are closed had counted.
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

    /// Takes a reader back.
    /// - Returns: whether its transaction stands and nobody will look at it, unless it is asked for.
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
    /// - Parameter isDue: says which; those that stay are looked at again.
    /// - Returns: whether one stays.
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
