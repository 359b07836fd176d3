import Synchronization

/// Identifies an object's unsaved changes until they are saved or discarded.
///
/// If a child changes a value that these changes have set, the child's change is based on them. If
/// the parent discards them, another context can still save an equal value. That value is a
/// different change, so it does not replace the one that the child has seen.
final class EditOrigin: Sendable {
    private let state = Atomic(false)

    /// True if the changes were rolled back.
    ///
    /// Contexts of other isolations that are based on the changes read it.
    var isDiscarded: Bool { state.load(ordering: .acquiring) }

    func discard() { state.store(true, ordering: .releasing) }
}

extension EditOrigin: Hashable {
    static func == (a: EditOrigin, b: EditOrigin) -> Bool { a === b }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ObjectRecord {
    /// The identity of the object's changes, created when a child first needs it.
    var origin: EditOrigin {
        if let origin = origins.last { return origin }
        let origin = EditOrigin()
        origins.append(origin)
        return origin
    }

    /// Returns the ancestor's change that a slot's change is based on; nil for a stored value.
    func baseOrigin(of slot: Int) -> EditOrigin? {
        if baseOrigins.isEmpty { return nil }
        return baseOrigins.first { $0.slot == slot }?.origin
    }

    func setBaseOrigin(_ origin: EditOrigin?, of slot: Int) {
        if !baseOrigins.isEmpty { baseOrigins.removeAll { $0.slot == slot } }
        if let origin { baseOrigins.append((slot, origin)) }
    }
}
