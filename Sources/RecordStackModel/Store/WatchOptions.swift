import RecordStackPlatform

/// Options for runtime checks that find mistakes during development.
///
/// ```swift
/// var options = StoreOptions()
/// options.watching.concurrencyDebug = true
/// let stack = try ContextStack(for: Person.self, at: .file("people.sqlite"), options: options)
/// ```
///
/// If ``concurrencyDebug`` or ``warnings`` is nil, an environment variable sets it. If the variable
/// is not set either, the option is on in debug builds of the program and off in release builds. A
/// check that is off costs almost nothing.
public struct WatchOptions: Sendable {
    /// Whether each operation of a context checks that it runs in the context's isolation.
    ///
    /// If an operation runs elsewhere, the check stops the process. If the option is nil, the
    /// environment variable `RECORDSTACK_CONCURRENCY_DEBUG` turns the check on with 1 and off with
    /// 0.
    public var concurrencyDebug: Bool?
    /// Whether the stack reports warnings.
    ///
    /// If the option is nil, the environment variable `RECORDSTACK_WARNINGS` turns warnings on with
    /// 1 and off with 0.
    public var warnings: Bool?
    /// The number of seconds that a call may wait before the stack warns.
    ///
    /// The value must be at least 0. The warning names both the waiting call and the work for which
    /// it waits.
    public var waitLimit: Double = 1
    /// The number of seconds that the main actor may spend on the store before the stack warns.
    ///
    /// The value must be at least 0. The limit applies to one operation, and to one save for which
    /// the main actor waits.
    public var mainThreadLimit: Double = 0.1
    /// The longest time that a save block waits for a turn of the main actor, in seconds.
    ///
    /// The value must be at least 0. After this time, the block continues without the turn's
    /// changes.
    package var turnLimit: Double = 2
    /// True if the stack reports unsaved changes when the process ends.
    package var warnsAtExit = true
    /// A closure that receives warnings, or nil to write them to standard error.
    ///
    /// The stack calls it on a separate thread or, when the process ends, on the thread that ends
    /// the process. The closure must not wait for a thread that uses the stack.
    public var handler: (@Sendable (StackWarning) -> Void)?
    /// A closure that a debug build calls for each write of an object's flags.
    ///
    /// It receives the writing function, and the flags before and after.
    package var flagObserver:
        (@Sendable (_ function: String, _ before: String, _ after: String) -> Void)?

    /// Creates options, with a default for each parameter.
    public init(
        concurrencyDebug: Bool? = nil, warnings: Bool? = nil,
        handler: (@Sendable (StackWarning) -> Void)? = nil
    ) {
        self.concurrencyDebug = concurrencyDebug
        self.warnings = warnings
        self.handler = handler
    }
}

extension WatchOptions {
    /// Whether contexts check where they are used.
    package var checksConcurrency: Bool {
        concurrencyDebug ?? Self.setting("RECORDSTACK_CONCURRENCY_DEBUG") ?? Self.isDebugBuild
    }

    /// Whether the stack reports warnings.
    package var warns: Bool {
        warnings ?? Self.setting("RECORDSTACK_WARNINGS") ?? Self.isDebugBuild
    }

    /// - Throws: misuse that names the option with an invalid value.
    func validate() throws {
        for (name, limit) in [("waitLimit", waitLimit), ("mainThreadLimit", mainThreadLimit)] {
            if limit >= 0 && limit < Self.longest { continue }
            throw RecordStackError(.misuse, "\(name) is \(limit). Give it seconds, 0 or more.")
        }
    }

    /// The upper limit of the times, in seconds, which is longer than any program runs.
    private static var longest: Double { 1e9 }

    /// Returns the value of an environment variable; nil if it is neither 0 nor 1.
    private static func setting(_ name: String) -> Bool? {
        switch Environment[name] {
        case "0": false
        case "1": true
        default: nil
        }
    }

    /// Whether the package, and therefore the program that uses it, is a debug build.
    private static var isDebugBuild: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }
}
