/// What a merge policy has decided of an object against the contexts that changed it: they learn of it when
/// the save is acknowledged.
package struct ResolvedRow: Sendable {
    package enum Kind: Sendable {
        /// Their values were taken for some slots.
        case values(SlotSet)
        /// It was to be deleted, and is not.
        case restored
    }

    package let key: Int64
    package let kind: Kind
    /// The row's version after the save.
    package let version: RowVersion
    /// The row after the save.
    package let row: [StoredValue]

    package init(key: Int64, kind: Kind, version: RowVersion, row: [StoredValue]) {
        self.key = key
        self.kind = kind
        self.version = version
        self.row = row
    }
}
