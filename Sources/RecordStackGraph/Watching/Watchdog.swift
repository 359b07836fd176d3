import Dispatch
import RecordStackPlatform
import Synchronization

/// Reports each call that waits too long, once, with the work that it waits for.
///
/// A wait is in a list while it lasts. The only other cost is a timer. The timer is set when a wait
/// begins, checks the list when that wait would be too long, and is set again as long as there are
/// waits.
final class Watchdog: Sendable {
    /// The work for which a call waits.
    enum Other: Sendable {
        case room(SerialQueue)
        case writer
        /// Work of a kind that has no name.
        case work(String)

        var name: String {
            switch self {
            case .room(let room): "“\(room.name)”"
            case .writer: "the root's writer"
            case .work(let work): work
            }
        }
    }

    private struct Wait: Sendable {
        let call: String
        let waiter: String
        let thread: UInt
        let other: Other
        let since: UInt64
        var isReported = false
    }

    private struct State {
        var waits: [Int: Wait] = [:]
        var last = 0
        var isTimerSet = false
    }

    private let state = Mutex(State())
    private let limit: UInt64
    private let tell: @Sendable (String) -> Void
    /// The current work of the root's writer.
    private let work = Mutex<(work: String, since: UInt64)?>(nil)
    private static let queue = DispatchQueue(label: "RecordStack.watchdog")

    init(limit: UInt64, tell: @escaping @Sendable (String) -> Void) {
        self.limit = limit
        self.tell = tell
    }

    /// Records that a call begins to wait on this thread.
    ///
    /// - Returns: The argument for ``end(_:)``.
    func begin(_ call: String, for other: Other) -> Int {
        let wait = Wait(
            call: call, waiter: CurrentIsolation.shortDescription, thread: CurrentThread.id,
            other: other, since: MonotonicClock.nanoseconds)
        return state.withLock { state in
            state.last += 1
            state.waits[state.last] = wait
            if !state.isTimerSet {
                state.isTimerSet = true
                setTimer()
            }
            return state.last
        }
    }

    func end(_ number: Int) {
        state.withLock { _ = $0.waits.removeValue(forKey: number) }
    }

    /// Runs work on the root's writer for which other threads may have to wait.
    func writing<Value>(_ work: String, _ body: () throws -> Value) rethrows -> Value {
        self.work.withLock { $0 = (work, MonotonicClock.nanoseconds) }
        defer { self.work.withLock { $0 = nil } }
        return try body()
    }

    private func setTimer() {
        let time = DispatchTime.now() + .nanoseconds(Int(limit))
        Self.queue.asyncAfter(deadline: time) { [weak self] in self?.look() }
    }

    private func look() {
        let now = MonotonicClock.nanoseconds
        let (late, all) = state.withLock { state in
            var late: [Wait] = []
            for (number, wait) in state.waits
            where !wait.isReported && Self.elapsed(from: wait.since, to: now) >= limit {
                state.waits[number]?.isReported = true
                late.append(wait)
            }
            state.isTimerSet = !state.waits.isEmpty
            if state.isTimerSet { setTimer() }
            return (late, Array(state.waits.values))
        }
        for wait in late.sorted(by: { $0.since < $1.since }) {
            tell(text(wait, all, now))
        }
    }
}

// MARK: Texts

extension Watchdog {
    private func text(_ wait: Wait, _ waits: [Wait], _ now: UInt64) -> String {
        let head =
            "\(wait.waiter) has waited \(Self.seconds(from: wait.since, to: now)) "
            + "in \(wait.call) for \(wait.other.name)."
        return ([head] + reasons(wait.other, waits, now, depth: 0)).joined(separator: " ")
    }

    /// Returns sentences that say why a wait lasts, along the chain of waiting threads.
    private func reasons(
        _ other: Other, _ waits: [Wait], _ now: UInt64, depth: Int
    ) -> [String] {
        switch other {
        case .work: return []
        case .writer:
            guard let (work, since) = work.withLock({ $0 }) else {
                return ["The root's writer has finished in the meantime."]
            }
            return ["The root's writer has been \(work) for \(Self.seconds(from: since, to: now))."]
        case .room(let room):
            guard let holder = room.holder else {
                return ["In “\(room.name)”, the block has ended in the meantime."]
            }
            let block =
                "In “\(room.name)”, \(holder.who) has been running a block for "
                + "\(Self.seconds(from: holder.since, to: now))."
            guard depth < 8, let next = waits.first(where: { $0.thread == holder.thread }) else {
                return [block]
            }
            return [block, "That block waits in \(next.call) for \(next.other.name)."]
                + reasons(next.other, waits, now, depth: depth + 1)
        }
    }

    /// Returns the time between two moments; 0 for a wait that began after the clock was read.
    private static func elapsed(from start: UInt64, to now: UInt64) -> UInt64 {
        now > start ? now - start : 0
    }

    /// Returns a time in seconds with one decimal.
    private static func seconds(from start: UInt64, to now: UInt64) -> String {
        let tenths = elapsed(from: start, to: now) / 100_000_000
        return "\(tenths / 10).\(tenths % 10) s"
    }
}

extension PersistentStoreCoordinator {
    /// Runs a body on the writer between two saves, and waits for it.
    func onWriterAndWait<Value, Failure: Error>(
        _ call: @autoclosure () -> String, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let wait = watching.watchdog?.begin(call(), for: .writer)
        defer { if let wait { watching.watchdog?.end(wait) } }
        var result: Result<Value, Failure>?
        // The form of `sync` for bodies that return or throw a value wraps them in more closures.
        queues.writer.sync { result = Result(catching: body) }
        // The queue has run the body before `sync` returns.
        return try result!.get()
    }

    /// Runs work of the writer under a name, which a report about a waiting call contains.
    func doing<Value>(
        _ work: @autoclosure () -> String, _ body: () throws -> Value
    ) rethrows -> Value {
        guard let watchdog = watching.watchdog else { return try body() }
        return try watchdog.writing(work(), body)
    }

    /// Waits for something other than the writer.
    func waiting(_ call: String, for work: String, _ body: () -> Void) {
        let wait = watching.watchdog?.begin(call, for: .work(work))
        body()
        if let wait { watching.watchdog?.end(wait) }
    }
}
