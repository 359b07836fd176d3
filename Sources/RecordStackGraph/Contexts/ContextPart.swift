import RecordStackModel

/// A component of a context, with the state that only this component needs.
class ContextPart: ContextView {
    // `unowned(unsafe)`: a context creates its parts and is their only owner. The caller of a part
    // is a method of the context, or keeps the context in a local constant, which Swift keeps alive
    // until the call has returned. So the context exists whenever a part runs. A context sets this
    // property before any code can see the part.
    private final unowned(unsafe) var whole: ManagedObjectContext?

    /// The context that owns this part.
    final var context: ManagedObjectContext {
        @inline(__always) get { whole.unsafelyUnwrapped }
        set { whole = newValue }
    }
}

/// A type that works on a context.
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
