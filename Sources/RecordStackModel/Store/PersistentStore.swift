package import FoundationEssentials

/// Where rows are kept. Everything above it speaks in values and knows no SQL.
///
/// Reading may happen on many threads at once; ``save(_:token:options:willWrite:)``,
/// ``perform(_:token:options:willWrite:willCommit:)``,
/// ``leaseKeys(hierarchy:count:)``, ``leaseIncarnation(hierarchy:after:)``,
/// ``remoteChanges()``, ``checkpoint()`` and ``vacuum()`` are called by one thread at a time, the root's writer.
package protocol PersistentStore: StoreMaintenance {
    /// The UUID that IDs carry; a copy of the store has the same.
    var uuid: UUID { get }

    /// The UUID in the IDs of a hierarchy's objects.
    func uuid(ofHierarchy hierarchy: Int) -> UUID

    /// Lends a reader to one operation, which gives it back with ``StoreReader/end()``.
    /// - Parameter inBurst: true if the next operation follows at once. The operation calls
    ///   ``StoreReader/beginTransaction()`` before it reads; the transaction may go on after its end, as long as nothing
    ///   is committed.
    func reader(inBurst: Bool) throws -> any StoreReader

    /// Ends what operations in bursts have left behind. On any thread.
    func endBursts()

    /// How many readers are lent now. Others may change that at any time.
    var readersInUse: Int { get }

    /// Writes a plan in one transaction: all of it or nothing.
    /// - Parameter willWrite: is told, in the transaction, what other stacks have saved since this store last told of it.
    func save(
        _ plan: SavePlan, token: SaveToken, options: SaveOptions,
        willWrite: (RemoteChanges) -> Void
    ) throws -> SaveResult

    /// Whether the token of a save that changes an entity's rows appears in ``StoreReader/position()``.
    func leavesToken(entity: Int) -> Bool

    /// Which saves the store contained when it was opened.
    var openedPosition: StorePosition { get }

    /// Finds out whether a plan could be written now, and writes nothing.
    /// - Throws: what ``save(_:token:options:willWrite:)`` would throw.
    func dryRun(_ plan: SavePlan) throws -> SaveResult

    /// Changes all rows of a request in one transaction.
    /// - Parameter willWrite: as in ``save(_:token:options:willWrite:)``.
    /// - Parameter willCommit: is told what is about to be committed, if anything is; where it throws,
    ///   nothing is written.
    /// - Returns: how many rows there were.
    func perform(
        _ batch: BatchWrite, token: SaveToken, options: SaveOptions,
        willWrite: (RemoteChanges) -> Void, willCommit: (ChangeSet) throws -> Void
    ) throws -> Int

    /// Reserves keys that no object of the hierarchy has or had.
    func leaseKeys(hierarchy: Int, count: Int) throws -> Range<Int64>

    /// Leases an incarnation for rows of the hierarchy that are re-inserted. If another stack leases a later one before
    /// the rows are saved, the save is stale without stale rows, and must lease anew.
    /// - Parameter last: the latest incarnation of the deleted rows.
    func leaseIncarnation(hierarchy: Int, after last: Int64) throws -> Int64

    /// Whether the save of a token, whose outcome was not known, is in the store.
    func resolveInDoubt(_ token: SaveToken) throws -> Bool

    /// Tells when others may have saved to the store, until it is closed. On any thread.
    func watchRemoteSaves(_ notify: @escaping @Sendable () -> Void)

    /// What other stacks have saved since the store last told of it; nil if they have saved nothing. Called by the root's
    /// writer.
    func remoteChanges() throws -> RemoteChanges?

    /// What the last such call has done. Asked by the thread that made it.
    var writeStatistics: StoreStatistics { get }

    /// Whether there is work for ``checkpoint()``.
    var needsCheckpoint: Bool { get }

    /// What of ``checkpoint()`` can be done while others save, and takes long. On any thread.
    func prepareCheckpoint()

    /// Work that may follow a save, after its caller has gone on. Saves wait for it.
    func checkpoint()

    /// Frees what the store holds. Reading and writing throw afterwards.
    func close() throws
}

extension PersistentStore {
    package func leavesToken(entity: Int) -> Bool { true }

    package func uuid(ofHierarchy hierarchy: Int) -> UUID { uuid }

    /// Lends a reader to one operation that no other one follows at once.
    package func reader() throws -> any StoreReader { try reader(inBurst: false) }
}

/// One operation's view of a store.
package protocol StoreReader: AnyObject {
    /// What the reader has done so far, for this operation and for others.
    var statistics: StoreStatistics { get }
    /// Makes all that follows, up to ``end()``, see the same rows.
    func beginTransaction() throws
    /// Begins a transaction, and returns which saves it sees. Reads the tokens of the stacks only after a commit.
    func position() throws -> StorePosition
    /// A number of what the transaction sees, which also a commit changes that leaves no token; nil if the reader has none.
    var snapshotNumber: SnapshotNumber? { get }
    /// Returns what other stacks than one have saved since a position, as the rows are in the transaction; nil if they have
    /// saved nothing.
    func remoteChanges(since known: StorePosition, author: UInt64) throws -> ChangeSet?
    func rows(_ request: StoreRequest, into sink: any RowSink) throws
    /// Asks the sink about each row, as ``rows(_:into:)`` does, but reads none.
    func keys(_ request: StoreRequest, into sink: any RowSink) throws
    /// Hands over the entity's first row that has a value, which is not null, in a slot or as its key.
    func first(entity: Int, slot: Int, value: StoredValue, into sink: any RowSink) throws
    /// The same in a transaction of its own, if that sees what a position contains. It is faster than ``position()`` and
    /// ``first(entity:slot:value:into:)``.
    /// - Returns: false if the reader has to look where it stands. Then nothing was handed over.
    func first(
        entity: Int, slot: Int, value: StoredValue, at position: StorePosition,
        into sink: any RowSink
    ) throws -> Bool
    /// Hands over related objects: owner by owner, each one's in their order, or by key.
    func members(_ request: MemberRequest, into sink: any MemberSink) throws
    /// How many objects the request's owners are related to.
    func memberCount(_ request: MemberRequest) throws -> Int
    /// Whether a join table has a row.
    func hasLink(_ joinRow: JoinRow, in joinTable: Int) throws -> Bool
    func count(_ request: StoreRequest) throws -> Int
    func exists(_ request: StoreRequest) throws -> Bool
    /// Hands over a row of values for each object or group.
    func values(_ request: ValueRequest, into take: ([StoredValue]) throws -> Void) throws
    /// How ``rows(_:into:)`` would find the rows.
    func explanation(of request: StoreRequest) throws -> RequestExplanation
    /// How ``count(_:)`` would count.
    func explanation(ofCounting request: StoreRequest) throws -> RequestExplanation
    /// How ``values(_:into:)`` would find the values.
    func explanation(of request: ValueRequest) throws -> RequestExplanation
    func end()
}

/// A number of what a reader sees. Those of two readers say nothing of each other.
package struct SnapshotNumber: Sendable, Equatable {
    private let reader: ObjectIdentifier
    private let number: UInt32

    package init(_ number: UInt32, of reader: AnyObject) {
        self.reader = ObjectIdentifier(reader)
        self.number = number
    }
}

extension StoreReader {
    package var snapshotNumber: SnapshotNumber? { nil }

    package func first(
        entity: Int, slot: Int, value: StoredValue, at position: StorePosition,
        into sink: any RowSink
    ) throws -> Bool { false }
}

/// What came of writing a plan.
package enum SaveResult: Sendable {
    /// The plan is written. The positions are those that its join rows had before the save.
    case saved(OldPositions)
    /// Nothing was written: these rows have another version than the plan says.
    case stale([StaleRow])
}

/// A row that is not as a plan expects it, as it is in the store.
package struct StaleRow: Sendable {
    package let entity: Int
    package let key: Int64
    /// The version and the values in the store; nil where the row is gone.
    package let current: (version: RowVersion, values: RowBatch)?
    /// The slots that are in conflict even where the stored value equals the value that the change replaced.
    package let torn: SlotSet

    package init(
        entity: Int, key: Int64, current: (version: RowVersion, values: RowBatch)?,
        torn: SlotSet = SlotSet()
    ) {
        self.entity = entity
        self.key = key
        self.current = current
        self.torn = torn
    }
}

/// What a save leaves in the store, by which it can be recognised.
package struct SaveToken: Sendable, Hashable {
    package let bytes: UUID

    /// One that was never used.
    package init() {
        self.init(author: .random(in: .min ... .max), number: .random(in: .min ... .max))
    }

    /// - Parameters:
    ///   - author: a random number that nobody else has.
    ///   - number: how many tokens the author has used before. A UUID of chance would open the
    ///     system's source of chance for each save.
    package init(author: UInt64, number: UInt64) {
        bytes = withUnsafeBytes(of: (author, number)) {
            UUID(uuid: $0.loadUnaligned(as: uuid_t.self))
        }
    }

    package var author: UInt64 {
        withUnsafeBytes(of: bytes.uuid) { $0.loadUnaligned(as: UInt64.self) }
    }

    package var number: UInt64 {
        withUnsafeBytes(of: bytes.uuid) { $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self) }
    }
}
