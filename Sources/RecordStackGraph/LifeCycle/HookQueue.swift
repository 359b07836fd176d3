import RecordStackModel

/// The life-cycle hooks of a context's objects: which are due, and which are running.
///
/// A hook is a program's own code, which may read, create and delete objects. It is therefore
/// called between two operations, and not during work with which it might interfere.
final class HookQueue {
    /// The hooks that each class overrides, by entity.
    private let overridden: [LifeCycleHooks]
    private let someAwakeFromFetch: Bool
    private let threads: HookThreads
    // @exclusivity(unchecked): only the context's isolation uses it, one whole value at a time.

    /// True if `awakeFromFetch()` or `didSave()` of some object is due.
    @exclusivity(unchecked) private(set) var isDue = false
    /// The number of running pieces of work with which no hook may interfere.
    private var holds = 0
    /// Objects whose `awakeFromFetch()` is due.
    private var pendingAwakes: [ManagedObject] = []
    /// The running calls of `awakeFromFetch()`.
    private var awakenings = Awakenings()
    /// The number of creations that are running inside `awakeFromInsert()`.
    private var insertionDepth = 0
    /// The running saves whose objects have a `didSave()`.
    private var expectedSaves: [ExpectedSave] = []
    /// Objects whose `didSave()` is due.
    private var saved: [ManagedObject] = []

    init(of coordinator: PersistentStoreCoordinator) {
        overridden = coordinator.types.hooks
        someAwakeFromFetch = coordinator.types.allHooks.contains(.awakeFromFetch)
        threads = coordinator.hooks
    }

    /// The hooks that an entity's class overrides.
    subscript(entity: Int) -> LifeCycleHooks { overridden[entity] }

    /// Whether work is under way with which no hook may interfere.
    var isHeld: Bool { holds > 0 }

    /// Whether so many hooks run inside one another that the next one must wait for their return.
    var isDeepest: Bool { threads.depth >= Awakenings.deepest }

    /// Runs a body during which no hook may interfere.
    ///
    /// A later operation, or the end of the caller, calls the hooks that come due meanwhile.
    func holding<Result>(_ body: () throws -> Result) rethrows -> Result {
        holds += 1
        defer { holds -= 1 }
        return try body()
    }

    /// Calls the hooks that are due. Call it outside of operations.
    func callDue() {
        if isHeld || isDeepest { return }
        while isDue {
            isDue = false
            callAwakeFromFetch()
            callDidSave()
        }
    }

    /// Forgets which objects have a pending `awakeFromFetch()`, because the objects are forgotten.
    func forgetPendingAwakes() { pendingAwakes = [] }
}

// MARK: awakeFromFetch() and awakeFromInsert()

extension HookQueue {
    /// Records that an object's values were loaded for the first time in this context.
    ///
    /// A fault counts as new: its values are loaded for the first time since it became a fault.
    @inline(__always)
    func didLoad(
        _ object: @autoclosure () -> ManagedObject, entity: @autoclosure () -> Int
    ) {
        if someAwakeFromFetch { enqueueAwake(object(), entity: entity()) }
    }

    private func enqueueAwake(_ object: ManagedObject, entity: Int) {
        guard overridden[entity].contains(.awakeFromFetch) else { return }
        // An object that its own hook loads again has its hook running. If hooks load objects
        // without end, because they forget what is loaded, no hooks are called for these objects.
        if awakenings.isAwaking(object) || awakenings.isExhausted { return }
        object.apply(.awakening)
        pendingAwakes.append(object)
        isDue = true
    }

    private func callAwakeFromFetch() {
        let loaded = pendingAwakes
        if loaded.isEmpty { return }
        pendingAwakes = []
        threads.running("awakeFromFetch()") {
            // The hook of another object may have awoken it already.
            for object in loaded where object.awaitsAwake { callAwakeFromFetch(of: object) }
        }
    }

    /// Calls the hook of one object before its turn.
    func awake(_ object: ManagedObject) {
        threads.running("awakeFromFetch()") { callAwakeFromFetch(of: object) }
    }

    /// Calls the hook of an object. Other hooks may be called inside it.
    private func callAwakeFromFetch(of object: ManagedObject) {
        awakenings.begin(object)
        defer { awakenings.end(object) }
        object.callAwakeFromFetch()
    }

    /// The most nested creations, so that endless hooks fail before the stack overflows.
    private static let deepestInsertion = 100

    /// Creates an object and calls its `awakeFromInsert()`.
    ///
    /// - Parameter entity: the entity's name.
    /// - Throws: ``RecordStackError/Code/misuse`` inside too many such hooks.
    func awakingFromInsert<Object: ManagedObject>(
        _ entity: String, _ make: () throws -> Object
    ) throws -> Object {
        if insertionDepth == Self.deepestInsertion {
            throw RecordStackError(
                .misuse,
                "awakeFromInsert() makes objects whose awakeFromInsert() makes objects, "
                    + "\(insertionDepth) deep; the last is a \(entity). Make them only where they are "
                    + "missing.", entity: entity)
        }
        let object = try make()
        insertionDepth += 1
        defer { insertionDepth -= 1 }
        threads.running("awakeFromInsert()") { object.awakeFromInsert() }
        return object
    }
}

// MARK: didSave()

/// A running save whose objects have a `didSave()`.
private struct ExpectedSave {
    let ticket: SaveTicket
    let objects: [ManagedObject]
}

// `didSave()` is called when a context has acknowledged its save, usually before the save returns.
// A save that is written after its call has returned, or whose outcome is found out later, is
// acknowledged by a later operation.
extension HookQueue {
    var expectsSaves: Bool { !expectedSaves.isEmpty }

    func expect(_ ticket: SaveTicket, of objects: [ManagedObject]) {
        if !objects.isEmpty {
            expectedSaves.append(ExpectedSave(ticket: ticket, objects: objects))
        }
    }

    /// Records that a save was acknowledged.
    func hear(of ticket: SaveTicket) {
        guard let index = expectedSaves.firstIndex(where: { $0.ticket === ticket }) else { return }
        saved += expectedSaves.remove(at: index).objects
        isDue = true
    }

    /// The expected saves that are not running any more.
    var finishedSaves: [SaveTicket] { expectedSaves.map(\.ticket).filter { !$0.isUnderWay } }

    /// Forgets a save that has failed.
    func forget(_ ticket: SaveTicket) { expectedSaves.removeAll { $0.ticket === ticket } }

    private func callDidSave() {
        let objects = saved
        if objects.isEmpty { return }
        saved = []
        threads.running("didSave()") {
            for object in objects { object.didSave() }
        }
    }
}
