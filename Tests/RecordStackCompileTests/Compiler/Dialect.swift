/// The settings that a package can choose in Swift 6 mode, and that change where code runs.
enum Dialect: Sendable, CaseIterable {
    case plain
    /// An async function stays where its caller is.
    case callerIsolated
    /// Besides, what says nothing else is the main actor's.
    case mainActorByDefault

    var flags: [String] {
        switch self {
        case .plain: []
        case .callerIsolated: ["-enable-upcoming-feature", "NonisolatedNonsendingByDefault"]
        case .mainActorByDefault: Self.callerIsolated.flags + ["-default-isolation", "MainActor"]
        }
    }
}
