/// The settings of a package in Swift 6 mode that change where code runs.
enum Dialect: Sendable, CaseIterable {
    case plain
    /// An async function runs in the isolation of its caller.
    case callerIsolated
    /// As `callerIsolated`, and code without an isolation belongs to the main actor.
    case mainActorByDefault

    var flags: [String] {
        switch self {
        case .plain: []
        case .callerIsolated: ["-enable-upcoming-feature", "NonisolatedNonsendingByDefault"]
        case .mainActorByDefault: Self.callerIsolated.flags + ["-default-isolation", "MainActor"]
        }
    }
}
