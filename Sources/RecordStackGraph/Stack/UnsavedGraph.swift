public import RecordStackModel

/// New objects that were extracted from one context, for insertion into another one.
///
/// ```swift
/// let graph = try form.extract(order)           // the order, its lines and other new objects
/// try await stack.saveWithBlock { context in
///     try context.insert(graph)
/// }
/// ```
///
/// A graph is a value that you can pass to another isolation. If you never insert it, the objects
/// are lost.
public struct UnsavedGraph: Sendable {
    /// An object with its values and the slots that were set.
    struct Object: Sendable {
        let entity: Int
        let key: Int64
        let written: SlotSet
        let values: [StoredValue]
    }

    /// A reference from a saved object to one of the graph's objects.
    struct Reference: Sendable {
        let entity: Int
        let key: Int64
        let slot: Int
        let target: Int64
    }

    /// The IDs of the objects, beginning with the objects that you passed to `extract`.
    ///
    /// The objects keep these IDs in the other context.
    public let objectIDs: [ManagedObjectID]
    /// The coordinator of the original context, which the graph does not keep alive.
    weak let coordinator: PersistentStoreCoordinator?
    let model: ManagedObjectModel
    var objects: [Object] = []
    var references: [Reference] = []
    /// The changes of the objects' join rows.
    var links: [LinkChanges] = []

    init(objectIDs: [ManagedObjectID], coordinator: PersistentStoreCoordinator) {
        self.objectIDs = objectIDs
        self.coordinator = coordinator
        model = coordinator.model
    }
}
