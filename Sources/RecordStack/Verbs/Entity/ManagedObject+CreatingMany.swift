public import RecordStackGraph
public import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// Makes a new object for each row.
    ///
    /// ```swift
    /// let people = try Person.create(from: rows, in: context) { person, row in
    ///     person.email = row.mail
    ///     person.name = row.name
    /// }
    /// ```
    ///
    /// The context's next save inserts them together. Without rows the call does nothing.
    ///
    /// - Parameters:
    ///   - rows: what the objects are made from, in any type.
    ///   - context: where they live.
    ///   - fill: gives a new object the values of its row.
    /// - Returns: the objects, in the order of the rows.
    /// - Throws: what the closure throws, and what ``ManagedObject/create(in:)`` throws. What was made before
    ///   stays in the context.
    @discardableResult
    public static func create<Row>(
        from rows: some Sequence<Row>, in context: ManagedObjectContext,
        _ fill: (Self, Row) throws -> Void
    ) throws -> [Self] {
        try context.create(Self.self, from: rows, fill)
    }
}
