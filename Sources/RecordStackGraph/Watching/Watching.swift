import RecordStackModel
import RecordStackPlatform
import Synchronization

/// The checks and warnings of a stack, from its options, the environment and the build.
final class Watching: Sendable {
    /// Whether contexts check their isolation.
    let checksConcurrency: Bool
    /// Whether warnings are on.
    let warns: Bool
    /// The watchdog for long waits; nil if warnings are off.
    let watchdog: Watchdog?
    /// The longest time that the main actor may be busy with the store, in nanoseconds.
    let mainThreadLimit: UInt64
    let hasWarnedOfMainThread = Atomic(false)
    let hasWarnedOfDetachedObject = Atomic(false)
    /// The longest time that a save block waits for a turn of the main actor, in seconds.
    let turnLimit: Double
    /// Whether unsaved changes are reported when the process ends.
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

    /// Reports a warning on this thread.
    func tell(_ warning: StackWarning) { handler(warning) }
}

/// A check that stops the process if a context is used outside of its isolation.
///
/// The check is on in debug builds and off in release builds. ``WatchOptions/concurrencyDebug``
/// turns the check on or off for a stack. If the option is nil, the environment variable
/// `RECORDSTACK_CONCURRENCY_DEBUG` decides. The page on watching describes the checks and their
/// cost.
public enum ConcurrencyDebug {
    /// Whether the check is on in stacks whose options do not set it.
    ///
    /// The environment variable decides. If it is not set, the check is on in debug builds.
    public static var isOnByDefault: Bool { WatchOptions().checksConcurrency }
}
