import RecordStackModel
import Synchronization

/// What a context has done since it was made.
///
/// ```swift
/// let before = context.statistics
/// show(try Person.find(in: context))
/// print((context.statistics - before).statements)        // 1
/// ```
///
/// The words are those of ``RecordStackModel/StoreStatistics``, which counts for the whole stack. Counting is always on and
/// costs about a nanosecond for each of what is counted.
public struct ContextStatistics: Sendable, Hashable {
    /// Saves that the context was asked for and that have written something.
    public var saves = 0
    /// Statements that its operations, its saves and its objects' properties have run.
    public var statements = 0
    /// Rows that those statements have returned.
    public var rowsRead = 0
    /// Rows of objects that its saves have written, those of its ancestors' changes included.
    public var rowsWritten = 0
    /// Saves of others that it has taken in.
    public var merges = 0
    /// Those of them that other stacks or processes have saved to the file. What they save within a moment
    /// comes together and counts once.
    public var remoteMerges = 0
    /// Objects that were created in it, and those that children have handed over.
    public var objectsCreated = 0
    /// Objects that were made of rows; not those that it held already.
    public var objectsFetched = 0
    /// Faults that were loaded because one of their properties was read.
    public var faultsLoaded = 0
    /// Objects with unsaved changes for which a filter was evaluated in memory. A repeated request evaluates only objects
    /// changed since.
    public var objectsJudged = 0

    /// Nothing.
    public init() {}

    /// What was done between two moments.
    public static func - (later: Self, earlier: Self) -> Self {
        var difference = Self()
        for field in Self.fields {
            difference[keyPath: field] = later[keyPath: field] - earlier[keyPath: field]
        }
        return difference
    }

    private static var fields: [WritableKeyPath<Self, Int>] {
        [
            \.saves, \.statements, \.rowsRead, \.rowsWritten, \.merges, \.remoteMerges,
            \.objectsCreated, \.objectsFetched, \.faultsLoaded, \.objectsJudged,
        ]
    }
}

extension ContextMonitor {
    /// What the context has done, as far as this thread has heard of it.
    public var statistics: ContextStatistics { counters.statistics }
}

extension ManagedObjectContext {
    /// What the context has done since it was made. ``monitor`` tells it to any thread.
    public var statistics: ContextStatistics { monitor.statistics }
}

/// Counts what a context does.
///
/// Each number has one thread at a time that counts it: the context's, or the root's writer for what saves
/// write. So no step needs the processor's locks, and counting takes the time of an ordinary addition.
final class ContextCounters: Sendable {
    let merges = Counter()
    let remoteMerges = Counter()
    let objectsCreated = Counter()
    let objectsFetched = Counter()
    let faultsLoaded = Counter()
    let objectsJudged = Counter()
    private let statements = Counter()
    private let rowsRead = Counter()
    private let saves = Counter()
    private let statementsOfSaves = Counter()
    private let rowsReadBySaves = Counter()
    private let rowsWritten = Counter()

    /// What a reader has done for the context.
    @inline(__always)
    func add(_ read: StoreStatistics) {
        statements.add(read.statements)
        rowsRead.add(read.rowsRead)
    }

    /// What the writer has done for it.
    func addSave(_ written: StoreStatistics, succeeded: Bool) {
        statementsOfSaves.add(written.statements)
        rowsReadBySaves.add(written.rowsRead)
        rowsWritten.add(written.rowsWritten)
        if succeeded { saves.add(1) }
    }

    var statistics: ContextStatistics {
        var statistics = ContextStatistics()
        statistics.saves = saves.value
        statistics.statements = statements.value + statementsOfSaves.value
        statistics.rowsRead = rowsRead.value + rowsReadBySaves.value
        statistics.rowsWritten = rowsWritten.value
        statistics.merges = merges.value
        statistics.remoteMerges = remoteMerges.value
        statistics.objectsCreated = objectsCreated.value
        statistics.objectsFetched = objectsFetched.value
        statistics.faultsLoaded = faultsLoaded.value
        statistics.objectsJudged = objectsJudged.value
        return statistics
    }
}

/// A number that one thread at a time raises and any may read.
struct Counter: ~Copyable, Sendable {
    private let number = Atomic(0)

    @inline(__always)
    borrowing func add(_ count: Int) {
        number.store(number.load(ordering: .relaxed) &+ count, ordering: .relaxed)
    }

    var value: Int { number.load(ordering: .relaxed) }
}
