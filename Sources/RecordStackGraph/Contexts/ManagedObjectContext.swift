public import RecordStackModel

/// A view of the store, in which you find, create, change and save objects.
///
/// ```swift
/// let context = stack.newContext()
/// let person = try context.create(Person.self)
/// person.email = "ann@example.org"
/// try await context.save()
/// ```
///
/// A context belongs to one isolation: the main actor, another actor, a queue, or a task. It is not
/// Sendable, so the compiler keeps the context and its objects in that isolation.
///
/// Each operation, such as a fetch, a count or a save, first merges the saves of other contexts. It
/// then reads the current state of the store in one transaction. Reading a property merges nothing.
/// The default context, and a context with an owner, also merge saves between two operations, when
/// their actor is free. In any other context, only your own code changes the objects between two
/// operations.
///
/// If your program does not reference an object and the object has no unsaved changes, the context
/// releases it during a later operation.
public final class ManagedObjectContext {
    /// The context's name, ancestors and statistics, which you can read on any thread.
    public let monitor: ContextMonitor

    /// A closure that the context calls immediately with each error of a property read.
    ///
    /// With or without a handler, the context's next throwing operation throws the first of these
    /// errors.
    ///
    /// The closure runs on another thread while the reading thread waits. It must not wait for the
    /// reading thread's actor or queue.
    public var faultHandler: (@Sendable (RecordStackError) -> Void)? {
        get { errors.handler }
        set { errors.handler = newValue }
    }

    /// The context's response to loops that run one query for each object.
    ///
    /// The default is ``StrictLoading/off``. New child contexts inherit the setting.
    public var strictLoading: StrictLoading {
        get { loader.strictLoading }
        set { loader.strictLoading = newValue }
    }

    /// The rule that resolves conflicts when the context saves or pushes.
    ///
    /// The default is ``MergePolicy/error``. New child contexts inherit the policy.
    public var mergePolicy = MergePolicy.error

    /// The parent context, whose unsaved changes this context shows.
    ///
    /// Nil for a child of root or of the coordinator. Also nil for the context of a save block that
    /// works on a copy of the default context's unsaved changes.
    public var parent: ManagedObjectContext? {
        parentContext?.parentSnapshot == nil ? parentContext : nil
    }
    /// The parent in this isolation, which may be the parent snapshot of a context in another one.
    let parentContext: ManagedObjectContext?
    /// The state that a topmost context and all contexts below it share.
    let tree: ContextTree
    let coordinator: PersistentStoreCoordinator
    /// The owner of the context, and the state of its current use.
    let usage: ContextUsage
    /// The errors of property reads, which cannot throw.
    let errors = PropertyErrors()
    /// The coordinator's classes, copied here for fast creation of objects.
    let types: [ManagedObject.Type]
    /// The life-cycle hooks of the context's objects.
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
    // @exclusivity(unchecked): only the context's isolation reads and writes these, one whole value
    // at a time.

    @exclusivity(unchecked) var anchor: ContextAnchor
    let tables: ContiguousArray<EntityTable>
    /// The destination class that was looked up last, and its table, which `tables` keeps alive.
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

    /// The context's position in the commit log.
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

    /// Creates a child context in the same isolation.
    ///
    /// A child shows the unsaved changes of this context and its ancestors. A save of the child
    /// writes those changes together with the child's own. ``push(mergePolicy:)`` hands the child's
    /// changes to this context.
    public func newChild(name: String = "child") -> ManagedObjectContext {
        checkIsolation()
        let child = ManagedObjectContext(coordinator: coordinator, parent: self, name: name)
        child.strictLoading = strictLoading
        child.mergePolicy = mergePolicy
        return child
    }

    /// Returns the object with a key if `type` is the class whose table was used last.
    ///
    /// Never inlined: the result must be retained before the caller leaves the anchor's gate.
    @inline(never)
    final func registered(_ key: Int64, of type: ManagedObject.Type) -> ManagedObject? {
        guard recentType == ObjectIdentifier(type) else { return nil }
        return recentTable?._withUnsafeGuaranteedRef { $0.object(key) }
    }

    final func remember(_ table: EntityTable, of type: ManagedObject.Type) {
        recentType = ObjectIdentifier(type)
        recentTable = Unmanaged.passUnretained(table)
    }

    /// Whether the context has anything to save: created, changed or deleted objects.
    public var hasChanges: Bool {
        checkIsolation()
        return tables.contains { $0.dirtyObjects.contains(where: \.hasRowChanges) }
            || !joinRowEdits.isEmpty
    }

    /// The objects that were created since the last save.
    public var insertedObjects: [ManagedObject] { dirtyObjects { $0.has(ObjectFlags.inserted) } }

    /// The objects that were changed since the last save.
    ///
    /// They include objects that have unsaved changes and that another context has deleted. They
    /// also include objects whose only changes are in to-many relationships.
    public var updatedObjects: [ManagedObject] {
        dirtyObjects { !$0.has(ObjectFlags.inserted) && !$0.isToDelete && $0.hasRowChanges }
            + relatedObjects
    }

    /// The objects that the next save will delete.
    public var deletedObjects: [ManagedObject] { dirtyObjects(where: \.isToDelete) }

    /// The number of objects that the context holds.
    public var registeredObjectCount: Int { tables.reduce(0) { $0 + $1.map.count } }

    /// The objects of which only relationships have changed.
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
