package import RecordStackModel

/// The state that a batch needs from the batches before it, each of which was saved.
package struct ImportState: Sendable {
    /// The locations of references that wait for objects of later rows.
    package var waitingLocations: Set<ForwardReference.Location> = []
    /// Objects that were created from a key alone.
    package var unfinished: Set<ManagedObjectID> = []

    package init() {}
}
