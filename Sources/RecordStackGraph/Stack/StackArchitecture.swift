/// The hierarchy of a stack's contexts, chosen when you create the stack.
///
/// ```swift
/// let stack = try ContextStack(
///     for: Person.self, at: .file("people.sqlite"), architecture: .nested)
/// ```
///
/// All architectures have the same calls, write on the coordinator's queue, and report every save
/// to every context. They differ in what a save block rests on, and in whether a root context
/// exists.
public enum StackArchitecture: Sendable, Hashable, CaseIterable {
    /// The default context and the save blocks are below root.
    ///
    /// This is the default, and MagicalRecord's hierarchy. A block sees only what is in the store.
    /// It neither sees nor saves the default context's unsaved changes.
    case savingRoot
    /// The default context is below root, and save blocks are below the default context.
    ///
    /// A block sees the default context's unsaved changes, and saves them with its own.
    case nested
    /// The default context is below the coordinator, and save blocks are below the default context.
    ///
    /// It is ``nested`` without a root.
    case parentChild
    /// The default context and the save blocks are below the coordinator.
    ///
    /// Each merges the saves of the others. It is ``savingRoot`` without a root.
    case siblings

    /// Whether save blocks rest on the default context.
    var nestsSaveBlocks: Bool { self == .nested || self == .parentChild }

    /// The name of the topmost contexts' parent.
    var baseName: String {
        switch self {
        case .savingRoot, .nested: "root"
        case .parentChild, .siblings: "coordinator"
        }
    }
}
