/// The part of a model that a store keeps.
package enum StorePart: Sendable {
    case everything
    /// The entities that are not kept in memory.
    case lasting
    /// The entities that are kept in memory.
    case volatile

    /// Returns true if a hierarchy belongs to the part.
    package func has(_ hierarchy: Hierarchy) -> Bool {
        switch self {
        case .everything: true
        case .lasting: !hierarchy.isInMemory
        case .volatile: hierarchy.isInMemory
        }
    }
}
