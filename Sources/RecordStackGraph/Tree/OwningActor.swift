import Dispatch

/// The actor in whose isolation a context lives and merges commits on its own.
///
/// The reference is weak, because the actor retains the context, and the context retains its
/// cursor. The main actor retains nothing and lives as long as the program.
struct OwningActor: Sendable {
    private weak let actor: (any Actor)?
    let isMain: Bool
    private let home: WeakContext

    init(actor: any Actor, context: ManagedObjectContext) {
        isMain = actor === MainActor.shared
        self.actor = isMain ? nil : actor
        home = WeakContext(context)
    }

    /// Makes the context merge commits at a time in nanoseconds, or as soon after it as possible.
    ///
    /// The merge waits for the owner's next turn. If the program never runs the main queue, the
    /// next operation merges the commits.
    func scheduleDrain(at time: UInt64) {
        if time <= DispatchTime.now().uptimeNanoseconds { return scheduleDrain(of: home) }
        DispatchQueue.global().asyncAfter(deadline: DispatchTime(uptimeNanoseconds: time)) {
            [self] in scheduleDrain(of: home)
        }
    }

    /// Makes a context below the owner's context merge commits at the owner's next turn.
    func scheduleDrain(of context: ManagedObjectContext) { scheduleDrain(of: WeakContext(context)) }

    /// Merges commits at once, for an awaited call on the main actor.
    @MainActor func drainOnMain() async { await home.drain(isolation: MainActor.shared) }

    /// Merges commits at once, for a call on the main actor that does not await.
    func drainOnMainAndWait() { home.drainAndWait() }

    /// Publishes the context's changes when the main actor's turn ends.
    func schedulePublishing() { Task { await publishOnMain() } }

    /// Publishes the context's changes as soon as the main actor has a turn.
    @MainActor func publishOnMain() { home.publish() }

    private func scheduleDrain(of home: WeakContext) {
        guard let actor = isMain ? MainActor.shared : actor else { return }
        Task { await home.drainAsScheduled(isolation: actor) }
    }
}

/// A weak reference to an owner's context.
///
/// A task may wait for its turn for ever. It retains nothing but this box, and in particular not
/// the anchor, which retains the store.
///
/// - Note: `@unchecked Sendable`: `context` is written once, before it is shared. A weak reference
///   may be read while its object dies on another thread. Only the owner's isolation uses the
///   context.
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
