import RecordStackModel

/// What an object is made with besides its values. Contexts make seeds; an entity written by hand
/// passes the one that it is given to its superclass.
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

    /// Whether the object is a new one, whose attributes begin with their declared defaults.
    public var isNew: Bool { bits & ObjectFlags.inserted != 0 }
}
