import Dispatch
import RecordStackPlatform
import Synchronization

/// The isolation of the current code, as far as it can be found without stopping the process.
enum CurrentIsolation {
    /// Whether the main actor may be used here.
    ///
    /// True on the main queue, which the main thread need not run, and on the main thread, which
    /// need not run the main queue.
    static var isMain: Bool { isOnMainQueue || isMainThread || isIsolated(to: MainActor.shared) }

    /// Whether the main actor may be used here, as far as a cheap check can tell.
    static var isKnownToBeMain: Bool { isMainThread || isOnMainQueue }

    private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueue) == true }

    private static var isMainThread: Bool {
        let thread = CurrentThread.id
        if thread == mainThread.load(ordering: .relaxed) { return true }
        // Checking whether a thread is the first one takes two system calls, which every save would
        // pay for.
        if thread == otherThread.load(ordering: .relaxed) { return false }
        let isMain = CurrentThread.isFirst
        if isMain {
            mainThread.store(thread, ordering: .relaxed)
        } else {
            otherThread.store(thread, ordering: .relaxed)
        }
        return isMain
    }

    /// Whether an actor is the isolation of the caller.
    ///
    /// The runtime's own check stops the process on failure, without a chance to print a message.
    /// This function creates a task that begins immediately, and such a task begins on this thread
    /// only if the actor is the caller's isolation.
    static func isIsolated(to actor: any Actor) -> Bool {
        let answer = Answer()
        // `unsafeBitCast`: the function touches no state of the actor. The task that it creates
        // finds out where it runs.
        let ask = unsafeBitCast(
            Self.ask as (isolated any Actor, Answer) -> Void,
            to: ((any Actor, Answer) -> Void).self)
        ask(actor, answer)
        return answer.thread.load(ordering: .acquiring) == CurrentThread.id
    }

    private static func ask(_ actor: isolated any Actor, _ answer: Answer) {
        Task.immediate {
            _ = actor
            answer.thread.store(CurrentThread.id, ordering: .releasing)
        }
    }

    /// The thread on which the task began; 0 if it could not begin immediately.
    private final class Answer: Sendable {
        let thread = Atomic<UInt>(0)
    }

    private static let mainThread = Atomic<UInt>(0)
    /// The last thread that was found not to be the main thread.
    ///
    /// The main thread lives as long as the process, so no other thread can get its ID.
    private static let otherThread = Atomic<UInt>(0)
    private static let mainQueue = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()
}

// MARK: Names

extension CurrentIsolation {
    /// A description of the caller, for a message.
    static var description: String {
        if isMain { return "the main actor" }
        if let actor = OwnerActors.current { return actor }
        return shortDescription
    }

    /// A description of the caller without its actor, which takes longer to find.
    static var shortDescription: String {
        if isOnMainQueue { return "the main actor" }
        if isMainThread { return "the main thread" }
        if let queue = CurrentThread.queueName { return "the queue “\(queue)”" }
        if let name = Task<Never, Never>.name { return "the task “\(name)”" }
        if withUnsafeCurrentTask(body: { $0 != nil }) { return "a task without a name" }
        return CurrentThread.name.map { "the thread “\($0)”" } ?? "a thread without a name"
    }
}

/// The actors that own contexts, to name an actor that uses another one's context.
enum OwnerActors {
    private static let actors = Mutex<[WeakActor]>([])

    static func add(_ actor: WeakActor) {
        actors.withLock { actors in
            actors.removeAll { $0.actor == nil || $0.actor === actor.actor }
            actors.append(actor)
        }
    }

    /// The name of the actor that is the isolation of the caller.
    static var current: String? {
        actors.withLock { $0 }.first { owner in
            owner.actor.map { CurrentIsolation.isIsolated(to: $0) } ?? false
        }?.name
    }
}
