import Dispatch
import RecordStackPlatform
import Synchronization

/// Tells of calls that wait for long, each once, with who waits for whom and what that one is doing.
///
/// Waits are written into a list while they last. Nothing runs beside them but a timer, which is set when
/// somebody waits, looks into the list when a wait of that moment would be too long, and sets itself
/// again for as long as there are waits.
final class Watchdog: Sendable {
    /// For what a call waits.
    enum Other: Sendable {
        case room(SerialQueue)
        case writer
        /// Work of a kind that has no name of its own.
        case work(String)
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
    /// What the root's writer is doing.
    private let work = Mutex<(work: String, since: UInt64)?>(nil)
    private static let queue = DispatchQueue(label: "RecordStack.watchdog")

    init(limit: UInt64, tell: @escaping @Sendable (String) -> Void) {
        self.limit = limit
        self.tell = tell
    }

    /// A call begins to wait on this thread.
    /// - Returns: what ``end(_:)`` is to be given.
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

    /// Runs what somebody may have to wait for, on the root's writer.
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
            tell("\(text(wait, now)) for \(text(wait.other, all, now, depth: 0)).")
        }
    }
}

// MARK: Texts

extension Watchdog {
    private func text(_ wait: Wait, _ now: UInt64) -> String {
        "\(wait.waiter) has waited \(Self.seconds(from: wait.since, to: now)) in \(wait.call)"
    }

    private func text(_ other: Other, _ waits: [Wait], _ now: UInt64, depth: Int) -> String {
        switch other {
        case .work(let work): return work
        case .writer:
            guard let (work, since) = work.withLock({ $0 }) else {
                return "the root's writer, which is done by now"
            }
            return
                "the root's writer, which has been \(work) for \(Self.seconds(from: since, to: now))"
        case .room(let room):
            guard let holder = room.holder else {
                return "“\(room.name)”, where no block runs by now"
            }
            let block =
                "“\(room.name)”, where \(holder.who) has been running a block for "
                + Self.seconds(from: holder.since, to: now)
            guard depth < 8, let next = waits.first(where: { $0.thread == holder.thread }) else {
                return block
            }
            return block + ", and waits itself in \(next.call) for "
                + text(next.other, waits, now, depth: depth + 1)
        }
    }

    /// What another thread has begun since the clock was read has lasted for no time.
    private static func elapsed(from start: UInt64, to now: UInt64) -> UInt64 {
        now > start ? now - start : 0
    }

    /// A time with tenths of seconds.
    private static func seconds(from start: UInt64, to now: UInt64) -> String {
        let tenths = elapsed(from: start, to: now) / 100_000_000
        return "\(tenths / 10).\(tenths % 10) s"
    }
}

extension PersistentStoreCoordinator {
    /// Runs a body in turn with the saves, and waits for it.
    func onWriterAndWait<Value, Failure: Error>(
        _ call: @autoclosure () -> String, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let wait = watching.watchdog?.begin(call(), for: .writer)
        defer { if let wait { watching.watchdog?.end(wait) } }
        var result: Result<Value, Failure>?
        // The form of `sync` for bodies that return or throw a value wraps them in more closures.
        queues.writer.sync { result = Result(catching: body) }
        // The queue has run the body before it returns.
        return try result!.get()
    }

    /// Runs what the writer does, for those to hear of who wait for it.
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
