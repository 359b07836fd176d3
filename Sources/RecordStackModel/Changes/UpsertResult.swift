/// The result that an upsert returns: a summary, or the object of each row.
///
/// ```swift
/// let tags = try Tag.upsert(
///     names, by: \.name, key: { $0 }, returning: .objects, in: context
/// ) { _, _, _ in }
/// person.tags.replaceAll(with: tags)
/// ```
///
/// Objects come in the order of the rows, one for each row. Several rows of one object repeat the
/// object. The upsert keeps all objects alive until it ends; use a summary to avoid that.
public struct UpsertResult<Entity: ManagedEntity, Value> {
    package let keepsObjects: Bool
    package let make: (UpsertSummary, [Entity]) -> Value

    private init(keepsObjects: Bool, _ make: @escaping (UpsertSummary, [Entity]) -> Value) {
        self.keepsObjects = keepsObjects
        self.make = make
    }
}

extension UpsertResult where Value == UpsertSummary {
    /// Returns how many rows became new objects and how many matched an existing one.
    public static var summary: Self { Self(keepsObjects: false) { summary, _ in summary } }
}

extension UpsertResult where Value == [Entity] {
    /// Returns the object of each row.
    public static var objects: Self { Self(keepsObjects: true) { _, objects in objects } }
}

extension UpsertResult where Value == [ManagedObjectID] {
    /// Returns the ID of each row's object, which may leave the block.
    public static var objectIDs: Self {
        Self(keepsObjects: true) { _, objects in objects.map(\.objectID) }
    }
}
