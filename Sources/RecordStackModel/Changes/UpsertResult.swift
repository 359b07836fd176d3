/// The form in which an upsert returns its result: a summary, the objects, or their IDs.
///
/// ```swift
/// let tags = try Tag.upsert(
///     names, by: \.name, key: { $0 }, returning: .objects, in: context
/// ) { _, _, _ in }
/// person.tags.replaceAll(with: tags)
/// ```
///
/// The objects are in the order of the rows, with one object for each row. If several rows match
/// the same object, the result contains it several times. Unless you choose the summary, the upsert
/// keeps all objects in memory until it ends.
public struct UpsertResult<Entity: ManagedEntity, Value> {
    package let keepsObjects: Bool
    package let make: (UpsertSummary, [Entity]) -> Value

    private init(keepsObjects: Bool, _ make: @escaping (UpsertSummary, [Entity]) -> Value) {
        self.keepsObjects = keepsObjects
        self.make = make
    }
}

extension UpsertResult where Value == UpsertSummary {
    /// Returns an ``UpsertSummary``, which counts the new objects and the matched rows.
    public static var summary: Self { Self(keepsObjects: false) { summary, _ in summary } }
}

extension UpsertResult where Value == [Entity] {
    /// Returns the object of each row.
    public static var objects: Self { Self(keepsObjects: true) { _, objects in objects } }
}

extension UpsertResult where Value == [ManagedObjectID] {
    /// Returns the ID of each row's object. IDs can leave the block that runs the upsert.
    public static var objectIDs: Self {
        Self(keepsObjects: true) { _, objects in objects.map(\.objectID) }
    }
}
