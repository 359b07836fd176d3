import RecordStackModel

/// What of a stack is watched, as its options, the environment and the build say.
final class Watching: Sendable {
    /// Whether contexts look where they are used.
    let checksConcurrency: Bool
    /// Whether there are warnings.
    let warns: Bool
    /// What looks after long waits; nil where there are no warnings.
    let watchdog: Watchdog?
    private let handler: @Sendable (StackWarning) -> Void

    init(_ options: WatchOptions) {
        checksConcurrency = options.checksConcurrency
        warns = options.warns
        let handler = options.handler ?? { StandardError.write(line: "\($0)") }
        self.handler = handler
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
