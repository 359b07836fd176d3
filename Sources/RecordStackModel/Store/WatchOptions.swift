import RecordStackPlatform

/// What is watched while a program runs, to find mistakes before its users do.
///
/// ```swift
/// var options = StoreOptions()
/// options.watching.concurrencyDebug = true
/// let stack = try ContextStack(for: Person.self, at: .file("people.sqlite"), options: options)
/// ```
///
/// Where an option is nil, the environment decides, and where that says nothing, the build: debug builds
/// of a program watch, release builds do not. What is not watched costs next to nothing.
public struct WatchOptions: Sendable {
    /// Whether each operation of a context looks if it may be used where it is, and stops the process if
    /// not. Nil leaves it to the environment variable `RECORDSTACK_CONCURRENCY_DEBUG`, 0 or 1.
    public var concurrencyDebug: Bool?
    /// Whether there are warnings. Nil leaves it to the environment variable `RECORDSTACK_WARNINGS`, 0 or 1.
    public var warnings: Bool?
    /// How long a call may wait until a warning names both sides, in seconds, from 0.
    public var waitLimit: Double = 1
    /// How long the main actor may be busy with the store in one operation, or in one save for which it waits, until
    /// there is a warning, in seconds, from 0.
    public var mainThreadLimit: Double = 0.1
    /// How long a save block elsewhere waits for the main actor's turn to end, in seconds, from 0. Who waits longer goes on
    /// without what that changes.
    package var turnLimit: Double = 2
    /// Whether the end of the process is an occasion for a warning.
    package var warnsAtExit = true
    /// Who is told of warnings; nil for standard error. It is called on a thread of its own, as the
    /// process ends on the one that ends it, and must not wait for those that use the stack.
    public var handler: (@Sendable (StackWarning) -> Void)?
    /// A debug build calls it for each write of an object's flags, with the writing function and the flags before and after.
    package var flagObserver:
        (@Sendable (_ function: String, _ before: String, _ after: String) -> Void)?

    /// Options, all of which have defaults.
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
    /// Whether contexts look where they are used.
    package var checksConcurrency: Bool {
        concurrencyDebug ?? Self.setting("RECORDSTACK_CONCURRENCY_DEBUG") ?? Self.isDebugBuild
    }

    /// Whether there are warnings.
    package var warns: Bool {
        warnings ?? Self.setting("RECORDSTACK_WARNINGS") ?? Self.isDebugBuild
    }

    /// - Throws: misuse that names the value which makes no sense.
    func validate() throws {
        for (name, limit) in [("waitLimit", waitLimit), ("mainThreadLimit", mainThreadLimit)] {
            if limit >= 0 && limit < Self.longest { continue }
            throw RecordStackError(.misuse, "\(name) is \(limit). Give it seconds, 0 or more.")
        }
    }

    /// More seconds than any program runs.
    private static var longest: Double { 1e9 }

    /// What an environment variable says: nil where it is neither 0 nor 1.
    private static func setting(_ name: String) -> Bool? {
        switch Environment[name] {
        case "0": false
        case "1": true
        default: nil
        }
    }

    /// A package is built as the program that uses it is.
    private static var isDebugBuild: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }
}
