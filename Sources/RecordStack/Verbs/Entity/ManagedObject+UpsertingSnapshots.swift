public import RecordStackGraph
public import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// Finds or creates the object of each snapshot, and sets the snapshot's values.
    ///
    /// ```swift
    /// let edited: [Snapshot<Person>] = await editor.people
    /// try await stack.saveWithBlock { context in
    ///     try Person.upsert(edited, in: context)
    /// }
    /// ```
    ///
    /// The upsert first looks for an object with the snapshot's ID, and then for an object with the
    /// same identity. The lookup by identity also works for snapshots from another store. The
    /// identity is the entity's only unique attribute, or the attribute that `@Entity(identity:)`
    /// names. If there is no such object, the upsert creates an object with a new ID.
    ///
    /// The upsert sets all attributes and to-one relationships. It leaves to-many relationships
    /// unchanged. For a snapshot from another store, it leaves all relationships unchanged.
    ///
    /// Setting a value that the object already has is not a change, so upserting the same snapshots
    /// again writes nothing. For every 1,000 snapshots, the upsert runs one statement to find
    /// objects by ID, and one statement for each hierarchy that the snapshots refer to. For each
    /// entity whose objects it looks up by identity, it runs one more statement.
    ///
    /// - Returns: How many snapshots became new objects, and how many matched an object.
    /// - Throws: ``RecordStackError/Code/notFound`` if a relationship refers to an object that the
    ///   context does not see, and any error of finding or creating objects. Changes made before
    ///   the error stay in the context.
    @discardableResult
    public static func upsert(
        _ snapshots: some Sequence<Snapshot<Self>>, in context: ManagedObjectContext
    ) throws -> UpsertSummary {
        try context.upsert(Self.self, snapshots)
    }
}
