import FoundationEssentials

/// The UUID of a store. All marks are equal, so that comparing their owners ignores the store.
struct StoreMark: Sendable, Hashable {
    let uuid: UUID

    static func == (lhs: StoreMark, rhs: StoreMark) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
