package import RecordStackModel

/// The objects that have rows in an import.
package struct SeenObjects: Sendable {
    package var ids: Set<ManagedObjectID> = []
    /// The number of a row whose identity could not be read, so that any object may be its object.
    package var unknownRow: Int?

    package init() {}

    package mutating func formUnion(_ other: SeenObjects) {
        ids.formUnion(other.ids)
        unknownRow = unknownRow ?? other.unknownRow
    }
}
