import RecordStackModel

/// What an object holds on to instead of its context.
///
/// A context may die before its objects, on any thread. Objects then find nil here, which a weak
/// reference makes safe; asking costs a few nanoseconds, so only slow paths do.
///
/// - Note: `@unchecked Sendable`: the weak reference is written once, before the anchor is shared,
///   and weak references may be read while what they refer to dies on another thread. The context
///   that it yields is used only where the object that led to it may be used.
@usableFromInline
final class ContextAnchor: @unchecked Sendable {
    private(set) weak var context: ManagedObjectContext?
    let coordinator: PersistentStoreCoordinator

    init(context: ManagedObjectContext?, coordinator: PersistentStoreCoordinator) {
        self.context = context
        self.coordinator = coordinator
    }
}
