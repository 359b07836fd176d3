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
            !context.hooks.isDeepest
        else { return }
        context.hooks.awake(self)
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
    func didLoad(_ object: ManagedObject) {
        hooks.didLoad(object, entity: entityIndex(of: object))
    }

    /// Calls the hooks that are due, unless an operation is under way.
    @inline(__always)
    func callDueHooks() {
        if hooks.isDue && activeReader == nil { hooks.callDue() }
    }
}
