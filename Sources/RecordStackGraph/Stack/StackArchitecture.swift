/// The hierarchy of a stack's contexts, which you choose when you create the stack.
///
/// ```swift
/// let stack = try ContextStack(
///     for: Person.self, at: .file("people.sqlite"), architecture: .nested)
/// ```
///
/// All architectures have the same API. In all of them, the coordinator writes saves on its own
/// queue and reports each save to every context. The architectures differ in whether save blocks
/// see the default context's unsaved changes, and in whether a root context exists.
public enum StackArchitecture: Sendable, Hashable, CaseIterable {
    /// The default context and the contexts of save blocks are children of root.
    ///
    /// This is the default, and the hierarchy of MagicalRecord. A save block sees only what is in
    /// the store. It neither sees nor saves the default context's unsaved changes.
    case savingRoot
    /// The default context is a child of root. The contexts of save blocks are below it.
    ///
    /// A save block sees the default context's unsaved changes, and saves them with its own.
    case nested
    /// The default context is a child of the coordinator. The contexts of save blocks are below it.
    ///
    /// This is ``nested`` without a root.
    case parentChild
    /// The default context and the contexts of save blocks are children of the coordinator.
    ///
    /// Each of these contexts merges the saves of all the others. This is ``savingRoot`` without a
    /// root.
    case siblings

    /// Whether save blocks are based on the default context.
    var nestsSaveBlocks: Bool { self == .nested || self == .parentChild }

    /// The name of the topmost contexts' parent.
    var baseName: String {
        switch self {
        case .savingRoot, .nested: "root"
        case .parentChild, .siblings: "coordinator"
        }
    }
}
