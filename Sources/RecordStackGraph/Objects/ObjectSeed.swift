import RecordStackModel

/// The data, apart from the values, with which a context creates an object.
///
/// Contexts create seeds. If you write an entity by hand, its initializers pass the seed to
/// `super`.
public struct ObjectSeed {
    @usableFromInline let anchor: Unmanaged<ContextAnchor>
    @usableFromInline let key: Int64
    @usableFromInline let bits: UInt64

    init(
        anchor: Unmanaged<ContextAnchor>, key: Int64, version: RowVersion, status: RowStatus
    ) {
        self.anchor = anchor
        self.key = key
        bits = UInt64(bitPattern: version.column) << ObjectFlags.versionShift | status.flags
    }

    /// Whether the object is new, so that its attributes start with their declared defaults.
    public var isNew: Bool { bits & ObjectFlags.inserted != 0 }
}
