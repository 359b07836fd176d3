/// What an upsert returns: how many rows met an object, or the rows' objects.
///
/// ```swift
/// let tags = try Tag.upsert(names, by: \.name, key: { $0 }, returning: .objects, in: context) { _, _, _ in }
/// person.tags.replaceAll(with: tags)
/// ```
///
/// Objects come in the order of their rows, once for each row: rows of one object give it several times. They are kept
/// until the upsert ends, which a summary saves.
public struct UpsertResult<Entity: ManagedEntity, Value> {
    package let keepsObjects: Bool
    package let make: (UpsertSummary, [Entity]) -> Value

    private init(keepsObjects: Bool, _ make: @escaping (UpsertSummary, [Entity]) -> Value) {
        self.keepsObjects = keepsObjects
        self.make = make
    }
}

extension UpsertResult where Value == UpsertSummary {
    /// How many rows became new objects, and how many met one.
    public static var summary: Self { Self(keepsObjects: false) { summary, _ in summary } }
}

extension UpsertResult where Value == [Entity] {
    /// The object of each row.
    public static var objects: Self { Self(keepsObjects: true) { _, objects in objects } }
}

extension UpsertResult where Value == [ManagedObjectID] {
    /// The ID of each row's object, which can leave a block.
    public static var objectIDs: Self {
        Self(keepsObjects: true) { _, objects in objects.map(\.objectID) }
    }
}
