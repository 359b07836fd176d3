import Synchronization

/// The name, ancestors and statistics of a context, which you can read on any thread.
///
/// ```swift
/// for monitor in stack.contextMonitors { print(monitor.path) }
/// // default → root
/// // list → root
/// // form → list → root
/// ```
///
/// A context and its objects stay in their isolation, but you can pass the context's monitor
/// anywhere. A monitor keeps neither the context nor its stack alive, and you can use it after both
/// are gone.
public final class ContextMonitor: Sendable {
    /// The monitor of the parent context; nil for a child of root or of the coordinator.
    public let parent: ContextMonitor?
    private let state: Mutex<String>
    let counters = ContextCounters()

    /// The name of the topmost context's parent.
    private let base: String

    init(name: String, parent: ContextMonitor?, base: String) {
        self.parent = parent
        self.base = base
        state = Mutex(name)
    }

    /// The context's name in messages, which you can set on any thread at any time.
    public var name: String {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// The monitor of the topmost context in the chain.
    var root: ContextMonitor { parent?.root ?? self }

    /// The names from the context up to the root or the coordinator, as in `form → list → root`.
    public var path: String { "\(name) → \(parent?.path ?? base)" }
}

extension ContextMonitor: CustomStringConvertible {
    /// The same text as ``path``.
    public var description: String { path }
}

extension ContextStack {
    /// The monitors of the existing contexts.
    ///
    /// The default context's monitor comes first. The other monitors follow in the order in which
    /// their contexts were created. The monitor of a save block's context is included while the
    /// block runs.
    ///
    /// ```swift
    /// stack.contextMonitors.first?.name = "main window"      // the default context's
    /// ```
    public var contextMonitors: [ContextMonitor] { coordinator.log.monitors }
}
