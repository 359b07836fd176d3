import Dispatch
import RecordStackModel
import RecordStackPlatform
import Synchronization

/// A watch that calls back when it is time to look for remote saves.
///
/// That is soon after a process has written to the log, but not more often than the given interval.
/// A written page may not be committed yet and may wait for the disk. The watch therefore calls
/// back again after increasing pauses, and stops if the log stays unchanged for a long time. If the
/// system cannot watch files, the watch polls.
final class LogWatch: Sendable {
    private struct State {
        /// The number of the latest timer; earlier ones have no effect.
        var timer = 0
        /// True if the timer is set for the first look after a write.
        var isPrompt = false
        /// The number of looks since the last write.
        var looks = 0
        var lastLook: UInt64 = 0
        var number: Int?
        var isEnded = false
    }

    private let state = Mutex(State())
    private let interval: UInt64
    private let notify: @Sendable () -> Void
    private static let queue = DispatchQueue(label: "RecordStack.remoteSaves")

    /// Starts a watch.
    ///
    /// - Parameters:
    ///   - path: the log.
    ///   - interval: the shortest time between two looks, in seconds.
    init(path: String, interval: Double, notify: @escaping @Sendable () -> Void) {
        self.interval = UInt64(interval * 1e9)
        self.notify = notify
        let number = FileWatch.shared.watch(path) { [weak self] in self?.logWasWritten() }
        state.withLock { state in
            state.number = number
            if number == nil { setTimer(after: self.interval, &state) }
        }
    }

    deinit { end() }

    /// Ends the watch. A callback that is already running still completes.
    func end() {
        let number = state.withLock { state in
            state.isEnded = true
            defer { state.number = nil }
            return state.number
        }
        if let number { FileWatch.shared.end(number) }
    }

    /// The delay in nanoseconds: a commit is complete some microseconds after its last page.
    private static var promptDelay: UInt64 { 1_000_000 }
    /// The number of looks. The pauses double; the last look is 20 s after the first by default.
    private static var mostLooks: Int { 10 }

    private func logWasWritten() {
        state.withLock { state in
            state.looks = 0
            if state.isPrompt || state.isEnded { return }
            state.isPrompt = true
            let now = DispatchTime.now().uptimeNanoseconds
            let next = max(now + Self.promptDelay, state.lastLook + interval)
            setTimer(after: next - now, &state)
        }
    }

    private func setTimer(after delay: UInt64, _ state: inout State) {
        state.timer += 1
        let timer = state.timer
        Self.queue.asyncAfter(deadline: .now() + .nanoseconds(Int(delay))) { [weak self] in
            self?.look(timer)
        }
    }

    private func look(_ timer: Int) {
        let isDue = state.withLock { state in
            if state.isEnded || state.timer != timer { return false }
            state.isPrompt = false
            state.lastLook = DispatchTime.now().uptimeNanoseconds
            state.looks += 1
            if state.number == nil {
                setTimer(after: interval, &state)
            } else if state.looks < Self.mostLooks {
                setTimer(after: interval << UInt64(state.looks), &state)
            }
            return true
        }
        if isDue { notify() }
    }
}

extension SQLiteStore {
    package func watchRemoteSaves(_ notify: @escaping @Sendable () -> Void) {
        guard let file, let interval = options.remoteSaveInterval, !isFrozen else { return }
        let watch = LogWatch(path: file.path + "-wal", interval: interval, notify: notify)
        logWatch.withLock { $0 = watch }
    }

    /// Whether the file was opened without locks.
    private var isFrozen: Bool { if case .frozen = file?.access { true } else { false } }

    func endWatching() {
        logWatch.withLock { watch in
            defer { watch = nil }
            return watch
        }?.end()
    }
}
