import Synchronization

/// What any thread may know of a context, and may call it.
///
/// ```swift
/// for monitor in stack.contextMonitors { print(monitor.path) }
/// // default → root
/// // list → root
/// // form → list → root
/// ```
///
/// A context and its objects stay in their isolation; its monitor goes anywhere. It keeps neither the
/// context nor its stack alive, and can be asked when both are gone.
public final class ContextMonitor: Sendable {
    /// That of the context above; nil for a child of root or of the coordinator.
    public let parent: ContextMonitor?
    private let state: Mutex<String>
    let counters = ContextCounters()

    /// What the topmost one is a child of.
    private let base: String

    init(name: String, parent: ContextMonitor?, base: String) {
        self.parent = parent
        self.base = base
        state = Mutex(name)
    }

    /// The context's name, for messages. It can be set from any thread at any time.
    public var name: String {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// The topmost of its ancestors, or itself.
    var root: ContextMonitor { parent?.root ?? self }

    /// The names from the context to the root, or to the coordinator: `form → list → root`.
    public var path: String { "\(name) → \(parent?.path ?? base)" }
}

extension ContextMonitor: CustomStringConvertible {
    /// The names from the context to the root.
    public var description: String { path }
}

extension ContextStack {
    /// The monitors of the contexts that live at this moment: the default context's first, then in the
    /// order in which they were made. Those of save blocks are among them for as long as the block runs.
    ///
    /// ```swift
    /// stack.contextMonitors.first?.name = "main window"      // the default context's, from any thread
    /// ```
    public var contextMonitors: [ContextMonitor] { coordinator.log.monitors }
}
