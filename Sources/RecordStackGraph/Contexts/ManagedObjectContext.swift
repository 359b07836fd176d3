public import RecordStackModel

/// Where objects live: a view of the store with changes of its own.
///
/// ```swift
/// let context = stack.newContext()
/// let person = try context.create(Person.self)
/// person.email = "ann@example.org"
/// try await context.save()
/// ```
///
/// A context belongs to one isolation: the main actor, another actor, a queue, or a task. It is not
/// Sendable, so the compiler keeps it there, together with its objects.
///
/// Each operation (a fetch, a count, an object by ID, a save) reads the store as it is at that
/// moment, in one transaction, and first takes in what other contexts have saved since. Between two
/// operations nothing changes under the program's hands: reading properties never merges.
///
/// An object that nothing refers to any more stays until one of the next operations.
public final class ManagedObjectContext {
    /// What any thread may know of the context.
    public let monitor: ContextMonitor

    /// Told of every error that reading a property met, at once. The same error is thrown by the
    /// context's next throwing operation, whether or not there is a handler.
    ///
    /// It is called on another thread, for which the reading one waits: it must not wait for the
    /// reading one's actor or queue in turn.
    public var faultHandler: (@Sendable (RecordStackError) -> Void)?

    /// What is done when objects are loaded one by one; nothing, unless it is set. New children take it over.
    public var strictLoading = StrictLoading.off

    /// What becomes of objects that others have changed, too, when the context is saved or pushed:
    /// ``MergePolicy/error``, unless it is set. New children take it over.
    public var mergePolicy = MergePolicy.error

    /// The context whose unsaved changes this one sees; nil for a child of root or of the coordinator, and for
    /// the context of a save block, which sees a copy of what its parent has in another isolation.
    public var parent: ManagedObjectContext? {
        parentContext?.standIn == nil ? parentContext : nil
    }
    /// The parent in this isolation, which may stand for one in another.
    let parentContext: ManagedObjectContext?
    /// The topmost ancestor in this isolation; nil for a context that has none.
    let topmostAncestor: ManagedObjectContext?
    /// The state that all contexts of one topmost context share.
    let tree: ContextTree
    /// Says whether the task that awaits the save block was cancelled; nil outside of one.
    var cancellation: CancellationFlag?
    let coordinator: PersistentStoreCoordinator
    /// What looks where the context is used; nil where nobody does.
    let isolation: IsolationWatch?
    /// Whether it is the main actor's, and the time that its operations take is of interest.
    let timesOperations: Bool
    /// The number of reads before the block that the context is lent to began; `Int.max` outside of blocks.
    @exclusivity(unchecked) var readingsBeforeBlock = Int.max
    /// Whether it was told of that its parent has given up what it rests on.
    var hasWarnedOfParent = false
    /// Whether it is looked at when the process ends.
    var isWatchedAtExit = false
    /// The coordinator's classes, at hand for making objects.
    let types: [ManagedObject.Type]
    /// The life-cycle hooks of its objects.
    let hooks: HookQueue
    let cursor: LogCursor
    @exclusivity(unchecked) var anchor: ContextAnchor
    let tables: ContiguousArray<EntityTable>
    /// The destination class that was asked for last, and its table, which `tables` holds.
    @exclusivity(unchecked) private var recentType: ObjectIdentifier?
    @exclusivity(unchecked) private var recentTable: Unmanaged<EntityTable>?
    /// What was changed of relationships that are kept beside the rows of objects, by linkage.
    var links: ContiguousArray<LinkEdits>
    /// The number of the last such edit.
    var linkSerial = 0
    /// The objects of changed pairs: see ``keepRelated(_:)``.
    var keptForPairs: [ObjectIdentifier: ManagedObject] = [:]
    /// How often the ancestors' such edits had changed when this context last looked, by linkage.
    var seenRevisions: ContiguousArray<Int>
    /// How often members were loaded one owner at a time, by relationship.
    var memberLoads: [Int: Int] = [:]
    /// How often faults were loaded one by one, by entity.
    var faultLoads: [Int: Int] = [:]
    /// How often it was done since the last fetch, where that is of interest.
    var singleLoads: [SingleLoad: Int] = [:]
    /// Where the last fault came from that a to-one relationship made.
    var faultOrigin: FaultOrigin?
    /// Keys that were taken from the coordinator and not given to an object yet, by hierarchy.
    @exclusivity(unchecked) var keys: [KeyChunk]
    /// When the last look for objects that nobody holds ended.
    @exclusivity(unchecked) var lastSweep: UInt64 = 0
    /// How long it took.
    @exclusivity(unchecked) var lastSweepTime: UInt64 = 0
    /// What was committed after what is being merged, and is merged next.
    @exclusivity(unchecked) var entriesAhead: ArraySlice<CommittedChanges> = []
    /// What of it inserts which rows, where that was asked for.
    var insertionPlaces: [Int: [Int64: (place: Int, version: RowVersion)]] = [:]
    /// What is deleted by what is being merged.
    var mergedDeletions: MergedDeletions?
    /// How many reads have ended.
    @exclusivity(unchecked) var readings = 0
    /// When objects that are kept for pairs were last let go of, as `lastSweep`.
    @exclusivity(unchecked) var lastRelease: UInt64 = 0
    /// The owners whose members were loaded together, by relationship, until the next operation.
    var batches: [Int: [MemberBatch]] = [:]
    /// Objects that stand for rows which are gone, until the next operation: a collection shows the same one each time.
    var placeholders: [PlaceholderKey: ManagedObject] = [:]
    /// What was loaded along with requests whose objects somebody may still hold.
    var prefetched: [PrefetchedObjects] = []
    /// Whether the reader is an operation's, and not that of something that is loaded between two of them.
    @exclusivity(unchecked) var isOperating = false
    /// The first error met by reading a property since the last throwing operation.
    var pendingError: RecordStackError?
    @exclusivity(unchecked) var hasPendingError = false
    @exclusivity(unchecked) var isClosed = false
    /// A merge has found a property that was changed here and elsewhere.
    var mayHaveConflicts = false
    /// Others have saved something, or a row was read again, since one to one was last looked at.
    var mayBeUnpaired = false
    /// A new object was deleted while a save was under way that may have written it.
    var mayHaveGivenUp = false
    /// The keys of objects that others have deleted since the last operation, by hierarchy, where
    /// something is changed here that may refer to them.
    var vanished: [Int: Set<Int64>] = [:]
    /// Others have saved something while objects wait here to be deleted: it may refer to them.
    var mayReferToDeleted = false
    /// How many have suspended merging and not resumed it.
    var mergeSuspensions = 0
    /// How often what is held was to be looked at by version, because too much was committed to keep it all.
    var refreshDemand = 0
    /// How often it was to be when it was last looked at. Neither number goes back: who reads on another thread finds out
    /// whether there was another demand meanwhile.
    var metRefreshDemand = 0
    /// How often it has taken in what was committed.
    var drains = 0
    /// The old rows of the unread commits, the numbers of these commits, and the position of the reader that saw them.
    var history: (unread: Range<Int>, position: StorePosition, rows: RowHistory)?
    /// The rows that the context has loaded since its last operation and that show a later commit.
    var rowsAhead = RowsAhead()
    /// Which saves of other stacks it has taken in.
    var position: StorePosition
    /// The number of the last commit when the position was found out.
    @exclusivity(unchecked) var positionNumber = -1

    init(
        coordinator: PersistentStoreCoordinator, parent: ManagedObjectContext? = nil,
        name: String = "context", owner: (any Actor)? = nil, followsUnasked: Bool = true,
        lentBy lender: Lending.Lender? = nil, standingFor shared: SharedChanges? = nil
    ) {
        self.coordinator = coordinator
        types = coordinator.types.types
        hooks = HookQueue(of: coordinator)
        parentContext = parent
        topmostAncestor = parent?.top
        readingsBeforeBlock = parent?.isInBlock == true ? 0 : .max
        tree = parent?.tree ?? ContextTree(standingFor: shared)
        isolation =
            if let parent { parent.isolation } else {
                Self.makeIsolation(coordinator, owner: owner, lender: lender)
            }
        let monitor = ContextMonitor(
            name: name, parent: parent?.monitor, base: coordinator.architecture.baseName)
        self.monitor = monitor
        timesOperations =
            parent?.timesOperations ?? (coordinator.watching.warns && owner === MainActor.shared)
        tables = ContiguousArray(
            coordinator.model.hierarchies.map { EntityTable(hierarchy: $0.index) })
        let linkages = coordinator.model.linkages.count
        // To make one and drop it again takes 0.15 ms of a program's start: the runtime looks through all conformances for
        // that of its dictionaries' keys.
        links = linkages == 0 ? [] : ContiguousArray(repeating: LinkEdits(), count: linkages)
        seenRevisions = ContiguousArray(repeating: 0, count: linkages)
        keys = Array(repeating: KeyChunk(), count: tables.count)
        (cursor, position) = coordinator.log.makeCursor(
            of: monitor, snapshotOf: shared?.number)
        anchor = ContextAnchor(context: nil, coordinator: coordinator)
        anchor = ContextAnchor(context: self, coordinator: coordinator)
        if followsUnasked, let owner {
            cursor.follow(for: FollowingOwner(actor: owner, context: self))
        }
    }

    deinit {
        if isWatchedAtExit { UnsavedChanges.contextGoes(self) }
        anchor.close()
        coordinator.log.remove(cursor)
    }

    /// A context below this one, in the same isolation. It sees this context's unsaved changes;
    /// saving it writes both, ``push()`` hands its changes to this one.
    public func newChild(name: String = "child") -> ManagedObjectContext {
        checkIsolation()
        let child = ManagedObjectContext(coordinator: coordinator, parent: self, name: name)
        child.strictLoading = strictLoading
        child.mergePolicy = mergePolicy
        return child
    }

    /// The object of a key in the table that was asked for last, if that was the table of a class.
    /// Never inlined: it holds the object when it returns, and only then is the gate left.
    @inline(never)
    final func registered(_ key: Int64, of type: ManagedObject.Type) -> ManagedObject? {
        guard recentType == ObjectIdentifier(type) else { return nil }
        return recentTable?._withUnsafeGuaranteedRef { $0.object(key) }
    }

    final func remember(_ table: EntityTable, of type: ManagedObject.Type) {
        recentType = ObjectIdentifier(type)
        recentTable = Unmanaged.passUnretained(table)
    }

    /// Whether there is anything to save: an object made, changed or deleted.
    public var hasChanges: Bool {
        checkIsolation()
        return tables.contains { $0.listed.contains(where: \.hasRowChanges) }
            || links.contains { !$0.isEmpty }
    }

    /// Objects that were made since the last save.
    public var insertedObjects: [ManagedObject] { listedObjects { $0.has(ObjectFlags.inserted) } }

    /// Objects that were changed since the last save, those that were deleted elsewhere included, and
    /// those of which a pair in a link table was.
    public var updatedObjects: [ManagedObject] {
        listedObjects { !$0.has(ObjectFlags.inserted) && !$0.isToDelete && $0.hasRowChanges }
            + relatedObjects
    }

    /// Objects that the next save deletes.
    public var deletedObjects: [ManagedObject] { listedObjects(\.isToDelete) }

    /// How many objects the context holds.
    public var registeredObjectCount: Int { tables.reduce(0) { $0 + $1.map.count } }

    /// Objects of which nothing was changed but what they are related to.
    private var relatedObjects: [ManagedObject] {
        let listed = ObjectFlags.inserted | ObjectFlags.deleted
        return keptForPairs.values.filter {
            !$0.has(listed) && !$0.hasRowChanges && $0.hasLinkChanges
        }.sorted { $0.keyValue < $1.keyValue }
    }

    private func listedObjects(_ isWanted: (ManagedObject) -> Bool) -> [ManagedObject] {
        checkIsolation()
        return tables.flatMap { $0.listed.filter { $0.has(ObjectFlags.listed) && isWanted($0) } }
    }
}

@available(
    *, unavailable,
    message: "A context stays in its isolation. Use perform, a save block or newContext(ownedBy:)."
)
extension ManagedObjectContext: Sendable {}
