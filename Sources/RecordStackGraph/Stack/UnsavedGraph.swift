public import RecordStackModel

/// New objects that were taken out of a context before they were saved, on their way to another one.
///
/// ```swift
/// let graph = try form.extract(order)           // the order, its lines, and what else is new about it
/// try await stack.saveWithBlock { context in
///     try context.insert(graph)
/// }
/// ```
///
/// It is a value, and may cross isolations. Dropped, the objects are gone.
public struct UnsavedGraph: Sendable {
    /// An object: the slots that were set, and all of its values.
    struct Object: Sendable {
        let entity: Int
        let key: Int64
        let written: SlotSet
        let values: [StoredValue]
    }

    /// A saved object that refers to one of them.
    struct Reference: Sendable {
        let entity: Int
        let key: Int64
        let slot: Int
        let target: Int64
    }

    /// The objects' IDs, which stay the same: those that were asked for first.
    public let objectIDs: [ManagedObjectID]
    /// That of the context that they come from, which need not outlive it.
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
