import Dispatch
import RecordStackPlatform
import Synchronization

/// Where code runs at this moment, as far as can be found out without stopping the process.
enum CurrentIsolation {
    /// Whether the main actor may be used here: on the main queue, which need not be run by the main
    /// thread, or on the main thread, which need not run the main queue.
    static var isMain: Bool { isOnMainQueue || isMainThread || isIsolated(to: MainActor.shared) }

    /// The same as far as it costs little to find out.
    static var isKnownToBeMain: Bool { isMainThread || isOnMainQueue }

    private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueue) == true }

    private static var isMainThread: Bool {
        let thread = CurrentThread.id
        if thread == mainThread.load(ordering: .relaxed) { return true }
        // To ask whether a thread is the first takes two calls of the system, which each save would pay for.
        if thread == otherThread.load(ordering: .relaxed) { return false }
        let isMain = CurrentThread.isFirst
        if isMain {
            mainThread.store(thread, ordering: .relaxed)
        } else {
            otherThread.store(thread, ordering: .relaxed)
        }
        return isMain
    }

    /// Whether an actor runs what calls.
    ///
    /// The runtime has a question for it that stops the process if not, before anything could be said. A
    /// task that is to begin at once does so only here.
    static func isIsolated(to actor: any Actor) -> Bool {
        let answer = Answer()
        // The function touches nothing of the actor's: the task that it makes finds out where it is.
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

    /// Where a question was answered: elsewhere, if the actor was not to be had here.
    private final class Answer: Sendable {
        let thread = Atomic<UInt>(0)
    }

    private static let mainThread = Atomic<UInt>(0)
    /// The thread that was last found to be another one. The main thread lives as long as the process, so that none
    /// gets the number of the other.
    private static let otherThread = Atomic<UInt>(0)
    private static let mainQueue = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()
}

// MARK: Names

extension CurrentIsolation {
    /// Who calls, for a message.
    static var description: String {
        if isMain { return "the main actor" }
        if let actor = OwnerActors.current { return actor }
        return shortDescription
    }

    /// The same without the actor, which takes longer to find out.
    static var shortDescription: String {
        if isOnMainQueue { return "the main actor" }
        if isMainThread { return "the main thread" }
        if let queue = CurrentThread.queueName { return "the queue “\(queue)”" }
        if let name = Task<Never, Never>.name { return "the task “\(name)”" }
        if withUnsafeCurrentTask(body: { $0 != nil }) { return "a task without a name" }
        return CurrentThread.name.map { "the thread “\($0)”" } ?? "a thread without a name"
    }
}

/// The actors that own contexts, to be named where one of them uses another's.
enum OwnerActors {
    private static let actors = Mutex<[WeakActor]>([])

    static func add(_ actor: WeakActor) {
        actors.withLock { actors in
            actors.removeAll { $0.actor == nil || $0.actor === actor.actor }
            actors.append(actor)
        }
    }

    /// The name of the one that runs what calls.
    static var current: String? {
        actors.withLock { $0 }.first { owner in
            owner.actor.map { CurrentIsolation.isIsolated(to: $0) } ?? false
        }?.name
    }
}
