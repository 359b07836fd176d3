/// How the contexts of a stack stand to each other, chosen when it is made.
///
/// ```swift
/// let stack = try ContextStack(for: Person.self, at: .file("people.sqlite"), architecture: .nested)
/// ```
///
/// All have the same calls, write on the coordinator's queue, and tell every context of every save. They differ in what
/// a save block rests on, and in whether there is a root context.
public enum StackArchitecture: Sendable, Hashable, CaseIterable {
    /// Root above the default context and, beside it, the save blocks: MagicalRecord's, and what a stack has unless
    /// something else was chosen. A block sees and saves what is in the store, and nothing that somebody edits.
    case savingRoot
    /// Root, then the default context, then the save blocks. A block sees the default context's unsaved changes, and
    /// saves them with its own.
    case nested
    /// The default context on the coordinator, the save blocks below it: ``nested`` without a root.
    case parentChild
    /// Default context and save blocks on the coordinator, each told of the others' saves: ``savingRoot`` without a root.
    case siblings

    /// Whether save blocks rest on the default context.
    var nestsSaveBlocks: Bool { self == .nested || self == .parentChild }

    /// What the topmost contexts are children of.
    var baseName: String {
        switch self {
        case .savingRoot, .nested: "root"
        case .parentChild, .siblings: "coordinator"
        }
    }
}
