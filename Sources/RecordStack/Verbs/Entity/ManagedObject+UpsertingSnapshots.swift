public import RecordStackGraph
public import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// Finds or creates the object of each snapshot, and gives it the snapshot's values.
    ///
    /// ```swift
    /// let edited: [Snapshot<Person>] = await editor.people
    /// try await stack.saveWithBlock { context in
    ///     try Person.upsert(edited, in: context)
    /// }
    /// ```
    ///
    /// The object of a snapshot is the one with its ID. If there is none, it is the object with the
    /// same identity, which finds objects for the snapshots of another store. The identity is the
    /// entity's only unique attribute, or the attribute that `@Entity(identity:)` names. If there
    /// is no such object either, the upsert creates one, with a new ID.
    ///
    /// The upsert sets all attributes and to-one relationships. It leaves to-many relationships
    /// unchanged, and for snapshots of another store all relationships.
    ///
    /// Setting a value that the object already has is not a change, so upserting the same snapshots
    /// again writes nothing. The upsert looks up 1,000 snapshots with one statement for their
    /// objects and one for each kind of object that they refer to.
    ///
    /// - Returns: How many snapshots became new objects, and how many matched an object.
    /// - Throws: ``RecordStackError/Code/notFound`` if a relationship refers to an
    ///   object that the context does not see, and any error of finding or creating objects.
    ///   Changes made before the error stay in the context.
    @discardableResult
    public static func upsert(
        _ snapshots: some Sequence<Snapshot<Self>>, in context: ManagedObjectContext
    ) throws -> UpsertSummary {
        try context.upsert(Self.self, snapshots)
    }
}
