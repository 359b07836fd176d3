import FoundationEssentials

/// Which store something is of. All marks are equal, so that what has one is compared without it.
struct StoreMark: Sendable, Hashable {
    let uuid: UUID

    static func == (lhs: StoreMark, rhs: StoreMark) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
