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
/// The terms are those of ``RecordStackModel/StoreStatistics``, which counts for the whole stack.
/// Counting is always on and costs about a nanosecond per count.
public struct ContextStatistics: Sendable, Hashable {
    /// The number of saves of the context that have written something.
    public var saves = 0
    /// The number of statements of its operations, its saves and its objects' properties.
    public var statements = 0
    /// The number of rows that those statements have returned.
    public var rowsRead = 0
    /// The number of object rows that its saves have written, including its ancestors' changes.
    public var rowsWritten = 0
    /// The number of other contexts' saves that it has merged.
    public var merges = 0
    /// The number of merged saves that other stacks or processes have made on the same file.
    ///
    /// ``merges`` includes them. Saves that arrive within a moment are merged together and count
    /// once.
    public var remoteMerges = 0
    /// The number of objects that it has created or that children have pushed.
    public var objectsCreated = 0
    /// The number of objects that were created from rows, not counting those that it held already.
    public var objectsFetched = 0
    /// The number of faults that were loaded by the read of a property.
    public var faultsLoaded = 0
    /// The number of times that a filter was evaluated for an unsaved object in memory.
    ///
    /// A repeated request evaluates only the objects that changed since.
    public var objectsJudged = 0

    /// Creates statistics in which every number is 0.
    public init() {}

    /// Returns the work between two moments.
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
    /// The work of the context, as far as it is visible to the current thread.
    public var statistics: ContextStatistics { counters.statistics }
}

extension ManagedObjectContext {
    /// The work of the context since it was created; ``monitor`` returns it on any thread.
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
