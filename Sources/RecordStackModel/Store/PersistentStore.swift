package import FoundationEssentials

/// A store of rows.
///
/// The code above it uses values and contains no SQL.
///
/// Several threads may read at once. One thread at a time, the root's writer, calls
/// ``save(_:token:options:willWrite:)``, ``perform(_:token:options:willWrite:willCommit:)``,
/// ``leaseKeys(hierarchy:count:)``, ``leaseIncarnation(hierarchy:after:)``, ``remoteChanges()``,
/// ``checkpoint()`` and ``vacuum()``.
package protocol PersistentStore: StoreMaintenance {
    /// The UUID in the IDs of objects; a copy of the store has the same UUID.
    var uuid: UUID { get }

    /// Returns the UUID in the IDs of a hierarchy's objects.
    func uuid(ofHierarchy hierarchy: Int) -> UUID

    /// Lends a reader to one operation, which returns it with ``StoreReader/end()``.
    ///
    /// - Parameter inBurst: whether the next operation follows at once. The operation then calls
    ///   ``StoreReader/beginTransaction()`` before it reads. The transaction may outlive the
    ///   operation until something is committed.
    func reader(inBurst: Bool) throws -> any StoreReader

    /// Ends the transactions that operations in bursts have left open.
    ///
    /// Can be called on any thread.
    func endBursts()

    /// The number of readers that are lent now.
    ///
    /// Other threads may change it at any time.
    var readersInUse: Int { get }

    /// Writes a plan in one transaction: all of it or nothing.
    ///
    /// - Parameter willWrite: called in the transaction with the saves of other stacks since the
    ///   store last reported them.
    func save(
        _ plan: SavePlan, token: SaveToken, options: SaveOptions,
        willWrite: (RemoteChanges) -> Void
    ) throws -> SaveResult

    /// Returns true if the token of a save to an entity's rows appears in the position.
    ///
    /// See ``StoreReader/position()``.
    func leavesToken(entity: Int) -> Bool

    /// The saves that the store contained when it was opened.
    var openedPosition: StorePosition { get }

    /// Checks whether a plan could be written now, and writes nothing.
    ///
    /// - Throws: the errors of ``save(_:token:options:willWrite:)``.
    func dryRun(_ plan: SavePlan) throws -> SaveResult

    /// Changes all rows of a request in one transaction.
    ///
    /// - Parameter willWrite: as in ``save(_:token:options:willWrite:)``.
    /// - Parameter willCommit: called before the commit with the changes, if there are any. If it
    ///   throws, nothing is written.
    /// - Returns: the number of rows of the request.
    func perform(
        _ batch: BatchWrite, token: SaveToken, options: SaveOptions,
        willWrite: (RemoteChanges) -> Void, willCommit: (ChangeSet) throws -> Void
    ) throws -> Int

    /// Reserves keys that no object of the hierarchy has or ever had.
    func leaseKeys(hierarchy: Int, count: Int) throws -> Range<Int64>

    /// Leases an incarnation for rows of the hierarchy that are re-inserted.
    ///
    /// If another stack leases a later incarnation before the rows are saved, the save is stale
    /// although its rows are not. The save must then lease another incarnation.
    ///
    /// - Parameter last: the latest incarnation of the deleted rows.
    func leaseIncarnation(hierarchy: Int, after last: Int64) throws -> Int64

    /// Returns true if the in-doubt save with a token is in the store.
    func resolveInDoubt(_ token: SaveToken) throws -> Bool

    /// Calls `notify` when other stacks may have saved to the store, until the store is closed.
    ///
    /// The closure is called on any thread.
    func watchRemoteSaves(_ notify: @escaping @Sendable () -> Void)

    /// Returns the saves of other stacks since the store last reported them; nil if there are none.
    ///
    /// Called by the root's writer.
    func remoteChanges() throws -> RemoteChanges?

    /// The statistics of the last call that writes.
    ///
    /// Read them on the thread that made the call.
    var writeStatistics: StoreStatistics { get }

    /// Whether ``checkpoint()`` has work to do.
    var needsCheckpoint: Bool { get }

    /// Does the part of ``checkpoint()`` that takes long and can run while other threads save.
    ///
    /// Can be called on any thread.
    func prepareCheckpoint()

    /// Does the work that can wait until the caller of a save has continued.
    ///
    /// Later saves wait until the work is done.
    func checkpoint()

    /// Releases the resources of the store.
    ///
    /// Reading and writing throw afterwards.
    func close() throws
}

extension PersistentStore {
    package func leavesToken(entity: Int) -> Bool { true }

    package func uuid(ofHierarchy hierarchy: Int) -> UUID { uuid }

    /// Lends a reader to one operation that is not part of a burst.
    package func reader() throws -> any StoreReader { try reader(inBurst: false) }
}

/// The view of a store in one operation.
package protocol StoreReader: AnyObject {
    /// The statistics of the reader, for this operation and for earlier ones.
    var statistics: StoreStatistics { get }
    /// Begins a transaction, so that all reads up to ``end()`` see the same rows.
    func beginTransaction() throws
    /// Begins a transaction and returns the position that it sees.
    ///
    /// The reader reads the stacks' tokens again only after a commit.
    func position() throws -> StorePosition
    /// A number that identifies the state that the transaction sees; nil if the reader has none.
    ///
    /// Every commit changes the number, including commits that leave no token.
    var snapshotNumber: SnapshotNumber? { get }
    /// Returns the saves of stacks other than the author's since a position; nil if there are none.
    ///
    /// The rows are those that the transaction sees.
    func remoteChanges(since known: StorePosition, author: UInt64) throws -> ChangeSet?
    func rows(_ request: StoreRequest, into sink: any RowSink) throws
    /// Calls the sink for each row as ``rows(_:into:)`` does, but reads no values.
    func keys(_ request: StoreRequest, into sink: any RowSink) throws
    /// Passes the sink the entity's first row with a value in a slot or as its key.
    ///
    /// The value is not null.
    func first(entity: Int, slot: Int, value: StoredValue, into sink: any RowSink) throws
    /// Looks up the first row in a separate transaction, if that transaction sees a known position.
    ///
    /// It is faster than ``position()`` and ``first(entity:slot:value:into:)``.
    /// - Returns: false if the reader must use its current transaction. The sink has
    ///   received nothing.
    func first(
        entity: Int, slot: Int, value: StoredValue, at position: StorePosition,
        into sink: any RowSink
    ) throws -> Bool
    /// Passes the sink the related objects, owner by owner, in their order or by key.
    func members(_ request: MemberRequest, into sink: any MemberSink) throws
    /// Returns the number of objects to which the request's owners are related.
    func memberCount(_ request: MemberRequest) throws -> Int
    /// Returns true if a join table has a row.
    func hasLink(_ joinRow: JoinRow, in joinTable: Int) throws -> Bool
    func count(_ request: StoreRequest) throws -> Int
    func exists(_ request: StoreRequest) throws -> Bool
    /// Passes `take` a row of values for each object or group.
    func values(_ request: ValueRequest, into take: ([StoredValue]) throws -> Void) throws
    /// Explains how ``rows(_:into:)`` would find the rows.
    func explanation(of request: StoreRequest) throws -> RequestExplanation
    /// Explains how ``count(_:)`` would count.
    func explanation(ofCounting request: StoreRequest) throws -> RequestExplanation
    /// Explains how ``values(_:into:)`` would find the values.
    func explanation(of request: ValueRequest) throws -> RequestExplanation
    func end()
}

/// A number that identifies the state that a reader sees.
///
/// Numbers of two readers are not comparable.
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

/// The result of writing a plan.
package enum SaveResult: Sendable {
    /// The plan is written.
    ///
    /// The positions are those of the plan's join rows before the save.
    case saved(OldPositions)
    /// Nothing is written, because these rows do not have the version that the plan expects.
    case stale([StaleRow])
}

/// A row that differs from a plan's expectation, as it is in the store.
package struct StaleRow: Sendable {
    package let entity: Int
    package let key: Int64
    /// The version and the values in the store; nil if the row is deleted.
    package let current: (version: RowVersion, values: RowBatch)?
    /// The slots that are in conflict even if the stored value equals the base.
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

/// A token that a save leaves in the store, by which the save can be recognized.
package struct SaveToken: Sendable, Hashable {
    package let bytes: UUID

    /// Creates a token that was never used.
    package init() {
        self.init(author: .random(in: .min ... .max), number: .random(in: .min ... .max))
    }

    /// Creates the next token of an author.
    ///
    /// It replaces a random UUID, which would open the system's random source for each save.
    /// - Parameters:
    ///   - author: a random number that no other stack has.
    ///   - number: the number of tokens that the author has used before.
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
