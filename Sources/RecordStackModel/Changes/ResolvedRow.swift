/// A merge policy's decision against the contexts that changed an object.
///
/// The contexts apply the decision when the save is acknowledged.
package struct ResolvedRow: Sendable {
    package enum Kind: Sendable {
        /// Some slots take the other side's values.
        case values(SlotSet)
        /// The object's deletion is discarded.
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
