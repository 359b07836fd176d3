public import RecordStackGraph
public import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// Gives the objects of snapshots the snapshots' values, and makes those that are not there.
    ///
    /// ```swift
    /// let edited: [Snapshot<Person>] = await editor.people
    /// try await stack.saveWithBlock { context in
    ///     try Person.upsert(edited, in: context)
    /// }
    /// ```
    ///
    /// A snapshot's object is the one with its ID; else the one with its identity (the entity's only unique attribute,
    /// or the one that `@Entity(identity:)` names), as for snapshots of another store; else a new one, with an ID of
    /// its own. All attributes and to-one relationships get the snapshot's values; to-many relationships are not part of
    /// one. Of another store's snapshots the relationships are left as they are.
    ///
    /// Setting what an object has already is no change: the same snapshots again write nothing. 1,000 are looked up with
    /// one statement for the objects and one for each kind of what they refer to.
    ///
    /// - Returns: how many became new objects, and how many met one.
    /// - Throws: ``RecordStackModel/RecordStackError/Code/notFound`` where a relationship refers to an object that the
    ///   context does not see, and what finding and creating throw. What was done before stays in the context.
    @discardableResult
    public static func upsert(
        _ snapshots: some Sequence<Snapshot<Self>>, in context: ManagedObjectContext
    ) throws -> UpsertSummary {
        try context.upsert(Self.self, snapshots)
    }
}
