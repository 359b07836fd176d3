import RecordStackModel

// An object whose entity overrides `awakeFromFetch()` is *asleep* from when its values are loaded until
// the hook is called. The hook is a program's own code, so it is called
//
// - at the end of the operation that has loaded the object, when its reader is given back: the hook may
//   read, make and delete objects, which take readers and the writer in their turn;
// - by the object's accessors before that, if somebody comes first: another object's hook, or a reader
//   who came along a relationship;
// - never while a property of ``ManagedObject`` itself is read or a relationship is followed, which
//   promise that they release nothing (see ManagedObject+Access.swift): those load values, and leave
//   the object asleep.
extension ManagedObject {
    /// Loads the object if need be, and calls `awakeFromFetch()` if it is due. Not an access that
    /// promises to release nothing.
    @inline(never) @usableFromInline
    final func wake() {
        if has(ObjectFlags.fault) { fireFault() }
        guard isAsleep, let context = anchor.context, context.activeReader == nil,
            !context.awakesDeepest
        else { return }
        context.coordinator.hooks.running("awakeFromFetch()") {
            context.callAwakeFromFetch(of: self)
        }
    }

    /// Whether its values are loaded and `awakeFromFetch()` is due.
    final var isAsleep: Bool {
        let flags = ObjectFlags.asleep | ObjectFlags.fault | ObjectFlags.detached
        return bits & flags == ObjectFlags.asleep
    }

    /// What the hook sets of the object's own attributes is no change; see `keepOldValue(_:of:)`.
    final func callAwakeFromFetch() {
        apply(.awakeBegan)
        awakeFromFetch()
        apply(.awakeEnded)
    }
}

extension ManagedObjectContext {
    /// An object's values were loaded that nobody has seen in this context before, or not since it
    /// became a fault. Called only where some entity awakes from fetches.
    func didLoad(_ object: ManagedObject, entity: Int) {
        guard hooks[entity].contains(.awakeFromFetch) else { return }
        // An object that its own hook loads anew has its hook under way. Hooks that load objects without end, because
        // they forget what is there, are not called for those.
        if awakenings.isAwaking(object) || awakenings.isExhausted { return }
        object.apply(.awakening)
        sleepers.append(object)
        owesHooks = true
    }

    func didLoad(_ object: ManagedObject) {
        if someAwakeFromFetch { didLoad(object, entity: entityIndex(of: object)) }
    }

    /// Whether no hook is to be called now: it is called when the hooks around it have returned.
    var awakesDeepest: Bool { coordinator.hooks.depth >= Awakenings.deepest }

    /// Calls the hooks that are due, now that no operation is under way.
    func callOwedHooks() {
        guard activeReader == nil, hookHolds == 0, !awakesDeepest else { return }
        while owesHooks {
            owesHooks = false
            callAwakeFromFetch()
            callDidSave()
        }
    }

    private func callAwakeFromFetch() {
        let loaded = sleepers
        if loaded.isEmpty { return }
        sleepers = []
        coordinator.hooks.running("awakeFromFetch()") {
            // Another one's hook may have come first.
            for object in loaded where object.isAsleep { callAwakeFromFetch(of: object) }
        }
    }

    /// Calls the hook of an object, inside of which other hooks may be called.
    func callAwakeFromFetch(of object: ManagedObject) {
        awakenings.begin(object)
        defer { awakenings.end(object) }
        object.callAwakeFromFetch()
    }

    /// Runs a body in the middle of which no hook may change what it works with. Those that come due
    /// are called by a later operation, or by the caller's end.
    func holdingHooks<Result>(_ body: () throws -> Result) rethrows -> Result {
        hookHolds += 1
        defer { hookHolds -= 1 }
        return try body()
    }
}
