import RecordStackModel
import RecordStackPlatform
import Synchronization

/// What of a stack is watched, as its options, the environment and the build say.
final class Watching: Sendable {
    /// Whether contexts look where they are used.
    let checksConcurrency: Bool
    /// Whether there are warnings.
    let warns: Bool
    /// What looks after long waits; nil where there are no warnings.
    let watchdog: Watchdog?
    /// How long the main actor may be busy with the store, in nanoseconds.
    let mainThreadLimit: UInt64
    let hasWarnedOfMainThread = Atomic(false)
    let hasWarnedOfDetachedObject = Atomic(false)
    /// How long a save block waits for a turn of the main actor, in seconds.
    let turnLimit: Double
    /// Whether what is not saved is told of when the process ends.
    let warnsAtExit: Bool
    #if DEBUG
        let flagObserver:
            (@Sendable (_ function: String, _ before: String, _ after: String) -> Void)?
    #endif
    private let handler: @Sendable (StackWarning) -> Void

    init(_ options: WatchOptions) {
        checksConcurrency = options.checksConcurrency
        warns = options.warns
        warnsAtExit = options.warns && options.warnsAtExit
        turnLimit = options.turnLimit
        mainThreadLimit = UInt64(options.mainThreadLimit * 1e9)
        let handler = options.handler ?? { StandardError.write(line: "\($0)") }
        self.handler = handler
        #if DEBUG
            flagObserver = options.flagObserver
        #endif
        watchdog =
            options.warns
            ? Watchdog(limit: UInt64(options.waitLimit * 1e9)) {
                handler(StackWarning(.longWait, $0))
            } : nil
    }

    /// Tells of something, on this thread.
    func tell(_ warning: StackWarning) { handler(warning) }
}

/// Whether contexts look that they are used in their isolation, and stop the process if not.
///
/// It is on in debug builds. ``RecordStackModel/WatchOptions/concurrencyDebug`` switches it for a stack, the
/// environment variable `RECORDSTACK_CONCURRENCY_DEBUG` for a process. The page on watching says what is
/// looked at, and what it costs.
public enum ConcurrencyDebug {
    /// Whether it is on in stacks whose options do not say: what the environment says, and otherwise
    /// whether this is a debug build.
    public static var isOnByDefault: Bool { WatchOptions().checksConcurrency }
}
