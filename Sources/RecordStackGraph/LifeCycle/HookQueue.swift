import RecordStackModel

/// The life-cycle hooks of a context's objects: which are due, which are under way, and what holds them up.
///
/// A hook is a program's own code, which may read, make and delete objects. So it is called between two operations, and not
/// while a piece of work is under way that it might interfere with.
final class HookQueue {
    /// Which hooks the classes override, by entity.
    private let overridden: [LifeCycleHooks]
    private let someAwakeFromFetch: Bool
    private let threads: HookThreads
    // @exclusivity(unchecked): only the context's isolation uses it, one whole value at a time.

    /// True if `awakeFromFetch()` or `didSave()` of some object is to be called.
    @exclusivity(unchecked) private(set) var isDue = false
    /// How many pieces of work are under way that no hook may interfere with.
    private var holds = 0
    /// Objects whose `awakeFromFetch()` is due.
    private var pendingAwakes: [ManagedObject] = []
    /// The calls of `awakeFromFetch()` that are under way.
    private var awakenings = Awakenings()
    /// How many creations are under way inside of `awakeFromInsert()`.
    private var insertionDepth = 0
    /// The saves under way whose objects have a `didSave()`.
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

    /// True while a piece of work is under way that no hook may interfere with.
    var isHeld: Bool { holds > 0 }

    /// True if hooks run in one another so deeply that the next is called when they have returned.
    var isDeepest: Bool { threads.depth >= Awakenings.deepest }

    /// Runs a body in the middle of which no hook may change what it works with. Those that come due are called by a later
    /// operation, or by the caller's end.
    func holding<Result>(_ body: () throws -> Result) rethrows -> Result {
        holds += 1
        defer { holds -= 1 }
        return try body()
    }

    /// Calls the hooks that are due. Called outside of operations.
    func callDue() {
        if isHeld || isDeepest { return }
        while isDue {
            isDue = false
            callAwakeFromFetch()
            callDidSave()
        }
    }

    /// Forgets which objects are to awake, because they are forgotten themselves.
    func forgetSleepers() { pendingAwakes = [] }
}

// MARK: awakeFromFetch() and awakeFromInsert()

extension HookQueue {
    /// Notes that an object's values were loaded which nobody has seen in this context before, or not since it became a
    /// fault.
    @inline(__always)
    func didLoad(
        _ object: @autoclosure () -> ManagedObject, entity: @autoclosure () -> Int
    ) {
        if someAwakeFromFetch { putToSleep(object(), entity: entity()) }
    }

    private func putToSleep(_ object: ManagedObject, entity: Int) {
        guard overridden[entity].contains(.awakeFromFetch) else { return }
        // An object that its own hook loads anew has its hook under way. Hooks that load objects without end, because
        // they forget what is there, are not called for those.
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
            // Another one's hook may have come first.
            for object in loaded where object.isAsleep { callAwakeFromFetch(of: object) }
        }
    }

    /// Calls the hook of one object before its turn.
    func awake(_ object: ManagedObject) {
        threads.running("awakeFromFetch()") { callAwakeFromFetch(of: object) }
    }

    /// Calls the hook of an object, inside of which other hooks may be called.
    private func callAwakeFromFetch(of object: ManagedObject) {
        awakenings.begin(object)
        defer { awakenings.end(object) }
        object.callAwakeFromFetch()
    }

    /// Hooks that make objects whose hooks make objects come to an end before the stack does.
    private static let deepestInsertion = 100

    /// Makes an object and calls its `awakeFromInsert()`.
    /// - Parameter entity: the entity's name.
    /// - Throws: ``RecordStackError/Code/misuse`` inside of too many such hooks.
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

/// A save under way whose objects are told when it is done.
private struct ExpectedSave {
    let ticket: SaveTicket
    let objects: [ManagedObject]
}

// `didSave()` is called when a context has taken the acknowledgement of its save in, which is usually before the save
// returns. A save that was written after its call returned, or whose outcome was found out later, is acknowledged to an
// operation that comes later.
extension HookQueue {
    var expectsSaves: Bool { !expectedSaves.isEmpty }

    func expect(_ ticket: SaveTicket, of objects: [ManagedObject]) {
        if !objects.isEmpty {
            expectedSaves.append(ExpectedSave(ticket: ticket, objects: objects))
        }
    }

    /// Notes that a save was acknowledged.
    func hear(of ticket: SaveTicket) {
        guard let index = expectedSaves.firstIndex(where: { $0.ticket === ticket }) else { return }
        saved += expectedSaves.remove(at: index).objects
        isDue = true
    }

    /// The expected saves that are not being written any more.
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
