import RecordStackModel
import Synchronization

/// Counts of the work that a context has done since it was created.
///
/// ```swift
/// let before = context.statistics
/// show(try Person.find(in: context))
/// print((context.statistics - before).statements)        // 1
/// ```
///
/// The counters have the same names and meanings as in ``StoreStatistics``, which counts the work
/// of the whole stack. Counting is always on and costs about a nanosecond per count.
public struct ContextStatistics: Sendable, Hashable {
    /// The number of the context's saves that have written something.
    public var saves = 0
    /// The number of statements that the context's operations, saves and property reads have run.
    public var statements = 0
    /// The number of rows that the context's statements have returned.
    public var rowsRead = 0
    /// The number of object rows that the context's saves have written.
    ///
    /// The number includes the rows of ancestors' changes.
    public var rowsWritten = 0
    /// The number of saves of other contexts that the context has merged.
    public var merges = 0
    /// The number of merged saves that other stacks or processes have made on the same file.
    ///
    /// ``merges`` includes them. Saves that arrive at almost the same moment are merged together
    /// and counted as one.
    public var remoteMerges = 0
    /// The number of objects that the context has created, or that its children have pushed to it.
    public var objectsCreated = 0
    /// The number of objects that the context has created from rows.
    ///
    /// Rows of objects that the context already held are not counted.
    public var objectsFetched = 0
    /// The number of faults that were loaded because a property was read.
    public var faultsLoaded = 0
    /// The number of times that a filter was evaluated for an unsaved object in memory.
    ///
    /// A repeated request evaluates its filter only for objects that have changed since its last
    /// run.
    public var objectsJudged = 0

    /// Creates statistics in which every number is 0.
    public init() {}

    /// Returns the work that was done between two readings of the statistics.
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
    /// The context's work since it was created.
    ///
    /// Work that is running on another thread may be counted only in part.
    public var statistics: ContextStatistics { counters.statistics }
}

extension ManagedObjectContext {
    /// The context's work since it was created. You can read it on any thread through ``monitor``.
    public var statistics: ContextStatistics { monitor.statistics }
}

/// Counts the work of a context.
///
/// Each number has one thread at a time that increments it: the context's, or the root's writer for
/// the work of saves. So no increment needs an atomic read-modify-write, and counting costs no more
/// than an ordinary addition.
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

    /// Adds the work of a reader.
    @inline(__always)
    func add(_ read: StoreStatistics) {
        statements.add(read.statements)
        rowsRead.add(read.rowsRead)
    }

    /// Adds the work of the writer for a save.
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

/// A number that one thread at a time increments and any thread may read.
struct Counter: ~Copyable, Sendable {
    private let number = Atomic(0)

    @inline(__always)
    borrowing func add(_ count: Int) {
        number.store(number.load(ordering: .relaxed) &+ count, ordering: .relaxed)
    }

    var value: Int { number.load(ordering: .relaxed) }
}
