public import RecordStackGraph
public import RecordStackModel

// Names from other libraries. Each is unavailable, and its message gives the name in RecordStack.
extension ManagedObjectContext {
    /// Exists only for its error message.
    @available(*, unavailable, renamed: "find(_:)")
    public func fetch<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>
    ) throws -> [Entity] { cannotBeCalled() }

    /// Exists only for its error message.
    @available(*, unavailable, renamed: "count(_:)")
    public func fetchCount<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>
    ) throws -> Int { cannotBeCalled() }

    /// Exists only for its error message.
    @available(
        *, unavailable,
        message:
            "An object is in its context from the beginning: try TheType.create(in: context, …)."
    )
    public func insert(_ object: ManagedObject) { cannotBeCalled() }

    /// Exists only for its error message.
    @available(
        *, unavailable,
        message:
            "A context belongs to the code that calls it, so call its methods directly. For background work, write stack.saveWithBlock { context in … }."
    )
    public func perform<Value>(_ body: () throws -> Value) async rethrows -> Value {
        cannotBeCalled()
    }

    /// Exists only for its error message.
    @available(
        *, unavailable,
        message:
            "A context belongs to the code that calls it, so call its methods directly. For background work, write stack.saveWithBlockAndWait { context in … }."
    )
    public func performAndWait<Value>(_ body: () throws -> Value) rethrows -> Value {
        cannotBeCalled()
    }
}
