import RecordStackModel
import RecordStackPlatform
import Synchronization

/// Checks that the contexts of a tree are used in their isolation.
///
/// It exists only if `ConcurrencyDebug` is on.
final class IsolationWatch: Sendable {
    let owner: ContextOwner
    /// The thread that uses contexts without an owner now; 0 for none.
    private let occupant = Atomic<UInt>(0)
    /// The name of that thread, for the message.
    private let occupier = Mutex<String?>(nil)

    init(_ owner: ContextOwner) {
        self.owner = owner
    }

    /// Stops the process if the caller may not use the context.
    func look(_ context: ManagedObjectContext) {
        switch owner {
        case .main:
            if !CurrentIsolation.isMain { stop(context) }
        case .actor(let owner):
            // A context whose actor is gone may be used by any code that has it, such as the
            // actor's deinit.
            if let actor = owner.actor, !CurrentIsolation.isIsolated(to: actor) { stop(context) }
        case .lent(let lending):
            if !lending.isHere { stop(context) }
        case .anyone:
            let thread = occupant.load(ordering: .acquiring)
            if thread != 0 && thread != CurrentThread.id { stop(context) }
        }
    }

    /// Begins a use of the context that ends with ``end()``, and during which no other may begin.
    ///
    /// Stops the process if the caller may not use the context.
    ///
    /// - Returns: True if the caller must call ``end()``: not inside another use.
    func begin(_ context: ManagedObjectContext) -> Bool {
        guard case .anyone = owner else {
            look(context)
            return false
        }
        let thread = CurrentThread.id
        let (isFree, other) = occupant.compareExchange(
            expected: 0, desired: thread, ordering: .acquiringAndReleasing)
        if isFree {
            occupier.withLock { $0 = CurrentIsolation.shortDescription }
        } else if other != thread {
            stop(context)
        }
        return isFree
    }

    func end() {
        occupier.withLock { $0 = nil }
        occupant.store(0, ordering: .releasing)
    }

    private func stop(_ context: ManagedObjectContext) -> Never {
        let monitor = context.monitor
        let who = CurrentIsolation.description
        let message =
            if case .anyone = owner {
                "is used in two places at once: by \(occupier.withLock { $0 } ?? "another thread"), "
                    + "and by \(who)."
            } else {
                "belongs to \(owner.name(monitor)), and was used by \(who)."
            }
        // Stops here, because a data race would follow: wrong values, or a crash somewhere else.
        fatalError(
            "ConcurrencyDebug: the context “\(monitor.name)” (\(monitor.path)) \(message) \(owner.advice)"
        )
    }
}

/// The owner of a context.
enum ContextOwner: Sendable {
    case main
    case actor(WeakActor)
    case lent(Lending)
    /// No fixed owner.
    ///
    /// A task that keeps the context in a variable, for example, may resume on any thread.
    case anyone

    init(_ actor: any Actor) {
        self = actor === MainActor.shared ? .main : .actor(WeakActor(actor))
    }

    func name(_ monitor: ContextMonitor) -> String {
        switch self {
        case .main: "the main actor"
        case .actor(let actor): actor.name
        case .lent(let lending): lending.name(monitor)
        case .anyone: "whoever keeps it"
        }
    }

    var advice: String {
        let values =
            "To use its data elsewhere, take a value: an objectID, a snapshot, or the result of a "
            + "block."
        return switch self {
        case .main:
            "Use it and its objects only in main-actor code. Elsewhere, use stack.read { … }, "
                + "stack.saveWithBlock { … } or a context of stack.newContext(). \(values)"
        case .actor: "Use it and its objects only in the actor's own methods. \(values)"
        case .lent: "Use it and its objects only inside the block. \(values)"
        case .anyone:
            "Give each user a context of its own with stack.newContext(), or let an actor own this "
                + "one: stack.newContext(ownedBy:). \(values)"
        }
    }
}

/// An actor that owns contexts, without keeping it alive.
struct WeakActor: Sendable {
    weak let actor: (any Actor)?
    let name: String

    init(_ actor: any Actor) {
        self.actor = actor
        name = "the actor \(type(of: actor))"
    }
}

/// The loan of a context to a block, for as long as the block runs.
final class Lending: Sendable {
    enum Lender: Sendable { case queue, block }

    private let lender: Lender
    /// The thread that runs the block; 0 for none.
    private let thread = Atomic<UInt>(0)

    init(_ lender: Lender) {
        self.lender = lender
    }

    var isHere: Bool { thread.load(ordering: .acquiring) == CurrentThread.id }

    func running<Value>(_ block: () throws -> Value) rethrows -> Value {
        thread.store(CurrentThread.id, ordering: .releasing)
        defer { thread.store(0, ordering: .releasing) }
        return try block()
    }

    func name(_ monitor: ContextMonitor) -> String {
        let isOver = thread.load(ordering: .acquiring) == 0
        let name = monitor.root.name
        return switch lender {
        case .queue: "the queue “\(name)”" + (isOver ? ", none of whose blocks runs now" : "")
        case .block: "the block “\(name)”" + (isOver ? ", which has ended" : "")
        }
    }
}
