/// What of a model a store keeps.
package enum StorePart: Sendable {
    case everything
    /// What is not to be kept in memory.
    case lasting
    /// What is to be kept in memory.
    case volatile

    /// Whether it is a part that a hierarchy belongs to.
    package func has(_ hierarchy: Hierarchy) -> Bool {
        switch self {
        case .everything: true
        case .lasting: !hierarchy.isInMemory
        case .volatile: hierarchy.isInMemory
        }
    }
}
