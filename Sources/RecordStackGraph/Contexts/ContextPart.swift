import RecordStackModel

/// A part of a context: what the context leaves to it, and the state that only this needs.
class ContextPart: ContextView {
    // A context makes its parts and holds them alone. Whoever calls a part is a method of the context, or has the context in a
    // local constant, which Swift keeps until the call has returned: so the context is there whenever a part runs. Nobody sees
    // a part before its context has been told to it.
    private final unowned(unsafe) var whole: ManagedObjectContext?

    /// The context that it is a part of.
    final var context: ManagedObjectContext {
        @inline(__always) get { whole.unsafelyUnwrapped }
        set { whole = newValue }
    }
}

/// A look at a context from outside: what works with it and keeps nothing of it.
protocol ContextView {
    var context: ManagedObjectContext { get }
}

extension ContextView {
    var coordinator: PersistentStoreCoordinator { context.coordinator }
    var model: ManagedObjectModel { context.coordinator.model }
    var tables: ContiguousArray<EntityTable> { context.tables }
    var loadedMembers: MemberRegistry {
        get { context.anchor.loadedMembers }
        nonmutating _modify { yield &context.anchor.loadedMembers }
    }

    func table(of entity: Int) -> EntityTable { context.table(of: entity) }
    func entityIndex(of object: ManagedObject) -> Int { context.entityIndex(of: object) }
}
