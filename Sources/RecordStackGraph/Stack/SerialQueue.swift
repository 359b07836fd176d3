import Dispatch
import RecordStackModel
import RecordStackPlatform
import Synchronization

/// A queue that runs one block at a time, and knows who waits for whom.
///
/// A thread that waits for a room while it holds another could wait for ever: the room's own block
/// may be waiting for what the thread holds. Such a circle is found before it closes, and the call
/// that would close it throws.
final class SerialQueue: Sendable {
    private let label: Mutex<String>
    private let queue: DispatchQueue
    private let waits: WaitGraph
    /// What it is called by those that wait for it.
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

    /// Runs a body in the room, in turn, and returns when it is done.
    /// - Throws: misuse where waiting would never end.
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

    /// Runs a body in the room, in turn, while the caller goes on.
    func run(_ body: sending @escaping () -> Void) {
        let transfer = Transfer(value: body)
        queue.async { [self] in
            waits.enter(self, thread: CurrentThread.id, waiter: nil)
            defer { waits.leave(self) }
            transfer.value()
        }
    }

    /// Waits until everything that was handed in before is done.
    func drain() throws {
        try runAndWait(as: "close()") {}
    }

    /// Who is in the room at this moment.
    var holder: WaitGraph.Holder? { waits.holder(of: self) }
}

/// Which thread is in which room, and which room it waits for.
final class WaitGraph: Sendable {
    /// Who is in a room.
    struct Holder: Sendable {
        let thread: UInt
        /// Its name, and since when it is there; empty where nobody watches.
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

    /// Whether the current thread is in the room.
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
/// - Note: `@unchecked Sendable`: it is made of a value that was `sending`, which nobody else can
///   reach any more, and is taken out once, by the queue that it was handed to.
struct Transfer<Value>: @unchecked Sendable {
    let value: Value
}
