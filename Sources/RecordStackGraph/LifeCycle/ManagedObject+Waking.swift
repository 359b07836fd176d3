import RecordStackModel

// An object whose entity overrides `awakeFromFetch()` has a pending awake from the moment when its
// values are loaded until the hook is called. The hook is a program's own code, so the time of the
// call matters:
//
// - The call is made at the end of the operation that has loaded the object, when the reader is
//   returned. The hook may read, create and delete objects, which needs readers and the writer.
// - The object's accessors make the call earlier if another object's hook, or a reader that came
//   along a relationship, uses the object first.
// - The call is never made while a property of ``ManagedObject`` itself is read or a relationship
//   is followed. These accesses promise to release nothing (see ManagedObject+Access.swift). They
//   load values and leave the awake pending.
extension ManagedObject {
    /// Loads the object if necessary, and calls `awakeFromFetch()` if it is due.
    ///
    /// An access that promises to release nothing must not call it.
    @inline(never) @usableFromInline
    final func wake() {
        if has(ObjectFlags.fault) { fireFault() }
        guard awaitsAwake, let context = anchor.context, context.activeReader == nil,
            !context.hooks.isDeepest
        else { return }
        context.hooks.awake(self)
    }

    /// Whether the values are loaded and `awakeFromFetch()` is due.
    final var awaitsAwake: Bool {
        let flags = ObjectFlags.awaitingAwake | ObjectFlags.fault | ObjectFlags.detached
        return bits & flags == ObjectFlags.awaitingAwake
    }

    /// Calls the hook. Attributes that it sets do not count as changes: see `keepOldValue(_:of:)`.
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
