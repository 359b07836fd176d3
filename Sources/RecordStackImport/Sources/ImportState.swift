package import RecordStackModel

/// What a batch of an import has to know of those before it, each of which was saved.
package struct ImportState: Sendable {
    /// Where references wait for objects of later rows.
    package var waitingLocations: Set<ForwardReference.Location> = []
    /// Objects that were made of a key alone.
    package var unfinished: Set<ManagedObjectID> = []

    package init() {}
}
