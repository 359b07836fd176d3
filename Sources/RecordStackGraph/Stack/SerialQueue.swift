import Dispatch
import RecordStackModel
import RecordStackPlatform
import Synchronization

/// A queue that runs one block at a time and detects deadlocks.
///
/// A thread that holds one queue while it waits for another could wait forever: the other queue's
/// block may be waiting for the queue that the thread holds. The call that would close such a cycle
/// throws.
final class SerialQueue: Sendable {
    private let label: Mutex<String>
    private let queue: DispatchQueue
    private let waits: WaitGraph
    /// The call that waits for this queue, for messages.
    let call: String

    init(name: String, waits: WaitGraph, call: String = "performAndWait") {
        label = Mutex(name)
        self.call = call
        self.waits = waits
        queue = DispatchQueue(label: "RecordStack.\(name)")
    }

    var name: String {
        get { label.withLock { $0 } }
        set { label.withLock { $0 = newValue } }
    }

    /// Runs a body on the queue and waits for it.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` if the call would never return.
    func runAndWait<Result>(
        as call: String? = nil, _ body: () throws -> Result
    ) throws -> Result {
        let thread = CurrentThread.id
        try waits.beginWaiting(thread: thread, for: self)
        let wait = waits.watchdog?.begin(call ?? self.call, for: .room(self))
        return try queue.sync {
            if let wait { waits.watchdog?.end(wait) }
            waits.enter(self, thread: CurrentThread.id, waiter: thread)
            defer { waits.leave(self) }
            return try body()
        }
    }

    /// Runs a body on the queue without waiting for it.
    func run(_ body: sending @escaping () -> Void) {
        let transfer = Transfer(value: body)
        queue.async { [self] in
            waits.enter(self, thread: CurrentThread.id, waiter: nil)
            defer { waits.leave(self) }
            transfer.value()
        }
    }

    /// Waits until all earlier blocks have ended.
    func drain() throws {
        try runAndWait(as: "close()") {}
    }

    /// The thread that runs a block of the queue now.
    var holder: WaitGraph.Holder? { waits.holder(of: self) }
}

/// The thread that runs each queue's block, and the queue that each thread waits for.
final class WaitGraph: Sendable {
    /// The thread that runs a queue's block.
    struct Holder: Sendable {
        let thread: UInt
        /// The thread's name, and when the block began; empty and 0 without a watchdog.
        var who = ""
        var since: UInt64 = 0
    }

    private struct State {
        var holders: [ObjectIdentifier: Holder] = [:]
        var waiting: [UInt: ObjectIdentifier] = [:]
    }

    private let state = Mutex(State())
    let watchdog: Watchdog?

    init(watchdog: Watchdog?) {
        self.watchdog = watchdog
    }

    func beginWaiting(thread: UInt, for room: SerialQueue) throws {
        try state.withLock { state in
            var next: ObjectIdentifier? = ObjectIdentifier(room)
            while let current = next, let holder = state.holders[current]?.thread {
                if holder == thread { throw Self.circle(room) }
                next = state.waiting[holder]
            }
            state.waiting[thread] = ObjectIdentifier(room)
        }
    }

    func enter(_ room: SerialQueue, thread: UInt, waiter: UInt?) {
        var holder = Holder(thread: thread)
        if watchdog != nil {
            holder.who = CurrentIsolation.shortDescription
            holder.since = MonotonicClock.nanoseconds
        }
        state.withLock { state in
            if let waiter { state.waiting[waiter] = nil }
            state.holders[ObjectIdentifier(room)] = holder
        }
    }

    func leave(_ room: SerialQueue) {
        state.withLock { $0.holders[ObjectIdentifier(room)] = nil }
    }

    func holder(of room: SerialQueue) -> Holder? {
        state.withLock { $0.holders[ObjectIdentifier(room)] }
    }

    /// Whether the current thread runs a block of the queue.
    func isInside(_ room: SerialQueue) -> Bool { holder(of: room)?.thread == CurrentThread.id }

    private static func circle(_ room: SerialQueue) -> RecordStackError {
        RecordStackError(
            .misuse,
            "This would wait for “\(room.name)” for ever, because “\(room.name)” waits for the "
                + "block that asks. Do the work in the block's own context, or after the block.")
    }
}

/// A value on its way to its only user.
///
/// - Note: `@unchecked Sendable`: the value was passed as `sending`, so no other code can reach it.
///   The queue that receives it takes it out once.
struct Transfer<Value>: @unchecked Sendable {
    let value: Value
}
