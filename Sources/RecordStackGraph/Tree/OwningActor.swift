import Dispatch

/// The actor in whose isolation a context lives, which takes in changes without being asked.
///
/// Weak: the actor keeps the context, the context its cursor. The main actor keeps nothing and lives
/// for ever.
struct OwningActor: Sendable {
    private weak let actor: (any Actor)?
    let isMain: Bool
    private let home: WeakContext

    init(actor: any Actor, context: ManagedObjectContext) {
        isMain = actor === MainActor.shared
        self.actor = isMain ? nil : actor
        home = WeakContext(context)
    }

    /// Has the context take in the commits at a time in nanoseconds, or as soon as the owner has its turn. If the program
    /// never runs the main queue, the next operation takes them in.
    func scheduleDrain(at time: UInt64) {
        if time <= DispatchTime.now().uptimeNanoseconds { return scheduleDrain(of: home) }
        DispatchQueue.global().asyncAfter(deadline: DispatchTime(uptimeNanoseconds: time)) {
            [self] in scheduleDrain(of: home)
        }
    }

    /// The same soon, in a context below the owner's.
    func scheduleDrain(of context: ManagedObjectContext) { scheduleDrain(of: WeakContext(context)) }

    /// The same at once, for a call that is made on the main actor.
    @MainActor func drainOnMain() async { await home.drain(isolation: MainActor.shared) }

    /// The same for a call on the main actor that does not await.
    func drainOnMainAndWait() { home.drainAndWait() }

    /// Publishes what the context has changed when the main actor's turn ends.
    func schedulePublishing() { Task { await publishOnMain() } }

    /// The same as soon as the main actor has its turn.
    @MainActor func publishOnMain() { home.publish() }

    private func scheduleDrain(of home: WeakContext) {
        guard let actor = isMain ? MainActor.shared : actor else { return }
        Task { await home.drainAsScheduled(isolation: actor) }
    }
}

/// Where an owner's context is found again. A task that waits for its turn, which may never come, holds
/// nothing else: not the anchor, which holds the store.
///
/// - Note: `@unchecked Sendable`: the weak reference is written once, before it is shared, and weak
///   references may be read while what they refer to dies on another thread. The context is used in its
///   owner's isolation alone.
private final class WeakContext: @unchecked Sendable {
    private weak var context: ManagedObjectContext?

    init(_ context: ManagedObjectContext) {
        self.context = context
    }

    func drain(isolation: isolated any Actor) async { await context?.takeInNow() }

    func drainAsScheduled(isolation: isolated any Actor) async {
        context?.cursor.beginScheduledDrain()
        await context?.takeInNow()
    }

    func drainAndWait() { context?.takeInAndWait() }

    func publish() { context?.publisher.publishChanges() }
}
