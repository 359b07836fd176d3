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
    public var faultHandler: (@Sendable (RecordStackError) -> Void)? {
        get { errors.handler }
        set { errors.handler = newValue }
    }

    /// What is done when objects are loaded one by one; nothing, unless it is set. New children take it over.
    public var strictLoading: StrictLoading {
        get { loader.strictLoading }
        set { loader.strictLoading = newValue }
    }

    /// What becomes of objects that others have changed, too, when the context is saved or pushed:
    /// ``MergePolicy/error``, unless it is set. New children take it over.
    public var mergePolicy = MergePolicy.error

    /// The context whose unsaved changes this one sees; nil for a child of root or of the coordinator, and for
    /// the context of a save block, which sees a copy of what its parent has in another isolation.
    public var parent: ManagedObjectContext? {
        parentContext?.parentSnapshot == nil ? parentContext : nil
    }
    /// The parent in this isolation, which may stand for one in another.
    let parentContext: ManagedObjectContext?
    /// The state that all contexts of one topmost context share.
    let tree: ContextTree
    let coordinator: PersistentStoreCoordinator
    /// How the context is used, and by whom.
    let usage: ContextUsage
    /// The errors of property reads, which no property can throw.
    let errors = PropertyErrors()
    /// The coordinator's classes, at hand for making objects.
    let types: [ManagedObject.Type]
    /// The life-cycle hooks of its objects.
    let hooks: HookQueue
    /// The changed join rows of to-many relationships.
    let joinRowEdits: JoinRowEdits
    /// The loaded keys of to-many relationships.
    let members = LoadedMembers()
    let loader = RelationshipLoader()
    /// The commits that the context shows.
    let shown: ShownCommits
    let merger = CommitMerger()
    /// The repairs that merges have made necessary.
    let repair = MergeRepair()
    let sweeper = ObjectSweeper()
    // @exclusivity(unchecked): only the context's isolation reads and writes these, one whole value at a time.

    @exclusivity(unchecked) var anchor: ContextAnchor
    let tables: ContiguousArray<EntityTable>
    /// The destination class that was asked for last, and its table, which `tables` holds.
    @exclusivity(unchecked) private var recentType: ObjectIdentifier?
    @exclusivity(unchecked) private var recentTable: Unmanaged<EntityTable>?

    init(
        coordinator: PersistentStoreCoordinator, parent: ManagedObjectContext? = nil,
        name: String = "context", owner: (any Actor)? = nil, followsUnasked: Bool = true,
        lentBy lender: Lending.Lender? = nil, standingFor shared: PublishedChanges? = nil
    ) {
        self.coordinator = coordinator
        types = coordinator.types.types
        hooks = HookQueue(of: coordinator)
        joinRowEdits = JoinRowEdits(joinTables: coordinator.model.joinTables.count)
        parentContext = parent
        tree = parent?.tree ?? ContextTree(standingFor: shared)
        usage =
            if let parent { ContextUsage(under: parent) } else {
                ContextUsage(of: coordinator, by: owner, lentBy: lender)
            }
        let monitor = ContextMonitor(
            name: name, parent: parent?.monitor, base: coordinator.architecture.baseName)
        self.monitor = monitor
        tables = ContiguousArray(
            coordinator.model.hierarchies.map { EntityTable(hierarchy: $0.index) })
        let (cursor, position) = coordinator.log.makeCursor(
            of: monitor, snapshotOf: shared?.number)
        shown = ShownCommits(upTo: position, cursor)
        anchor = ContextAnchor(context: nil, coordinator: coordinator)
        anchor = ContextAnchor(context: self, coordinator: coordinator)
        for part in [
            joinRowEdits, members, loader, shown, merger, merger.versionRefresh, repair, sweeper,
        ] as [ContextPart] {
            part.context = self
        }
        if followsUnasked, let owner {
            cursor.follow(for: OwningActor(actor: owner, context: self))
        }
    }

    deinit {
        if usage.isWatchedAtExit { UnsavedChanges.contextGoes(self) }
        anchor.close()
        coordinator.log.remove(cursor)
    }

    /// The context's position in the log of commits.
    var cursor: LogCursor { shown.cursor }
    var versionRefresh: VersionRefresh { merger.versionRefresh }
    package var queries: QueryEngine { QueryEngine(context: self) }
    var deleter: Deleter { Deleter(context: self) }
    var graphs: GraphMover { GraphMover(context: self) }
    var validator: CaptureValidator { CaptureValidator(context: self) }
    var parentView: ParentView { ParentView(context: self) }
    var changeCapture: ChangeCapture { ChangeCapture(context: self) }
    var parentSnapshotLoader: ParentSnapshotLoader { ParentSnapshotLoader(context: self) }
    var publisher: ChangePublisher { ChangePublisher(context: self) }
    var inverses: InverseKeeper { InverseKeeper(context: self) }

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
        return tables.contains { $0.dirtyObjects.contains(where: \.hasRowChanges) }
            || !joinRowEdits.isEmpty
    }

    /// Objects that were made since the last save.
    public var insertedObjects: [ManagedObject] { dirtyObjects { $0.has(ObjectFlags.inserted) } }

    /// Objects that were changed since the last save, including those that were deleted elsewhere and those of
    /// which only to-many relationships were changed.
    public var updatedObjects: [ManagedObject] {
        dirtyObjects { !$0.has(ObjectFlags.inserted) && !$0.isToDelete && $0.hasRowChanges }
            + relatedObjects
    }

    /// Objects that the next save deletes.
    public var deletedObjects: [ManagedObject] { dirtyObjects(where: \.isToDelete) }

    /// How many objects the context holds.
    public var registeredObjectCount: Int { tables.reduce(0) { $0 + $1.map.count } }

    /// Objects of which nothing was changed but what they are related to.
    private var relatedObjects: [ManagedObject] {
        let insertedOrDeleted = ObjectFlags.inserted | ObjectFlags.deleted
        return joinRowEdits.retainedOwners.values.filter {
            !$0.has(insertedOrDeleted) && !$0.hasRowChanges && $0.hasLinkChanges
        }.sorted { $0.keyValue < $1.keyValue }
    }

    private func dirtyObjects(where isWanted: (ManagedObject) -> Bool) -> [ManagedObject] {
        checkIsolation()
        return tables.flatMap {
            $0.dirtyObjects.filter { $0.has(ObjectFlags.dirty) && isWanted($0) }
        }
    }
}

@available(
    *, unavailable,
    message: "A context stays in its isolation. Use perform, a save block or newContext(ownedBy:)."
)
extension ManagedObjectContext: Sendable {}
