package import RecordStackModel

/// Which objects the rows of an import are of.
package struct SeenObjects: Sendable {
    package var ids: Set<ManagedObjectID> = []
    /// A row that may be of any object, because its identity could not be read.
    package var unknownRow: Int?

    package init() {}

    package mutating func formUnion(_ other: SeenObjects) {
        ids.formUnion(other.ids)
        unknownRow = unknownRow ?? other.unknownRow
    }
}
