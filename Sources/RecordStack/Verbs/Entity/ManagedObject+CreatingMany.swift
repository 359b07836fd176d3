public import RecordStackGraph
public import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// Creates an object for each row.
    ///
    /// ```swift
    /// let people = try Person.create(from: rows, in: context) { person, row in
    ///     person.email = row.mail
    ///     person.name = row.name
    /// }
    /// ```
    ///
    /// The next save of the context inserts the objects together. If there are no rows, the call
    /// does nothing.
    ///
    /// - Parameters:
    ///   - rows: The rows, of any type.
    ///   - context: The context of the new objects.
    ///   - fill: Sets the values of a new object from its row.
    /// - Returns: The objects, in the order of the rows.
    /// - Throws: Any error of the closure and of ``ManagedObject/create(in:)``. Objects that were
    ///   created before the error stay in the context.
    @discardableResult
    public static func create<Row>(
        from rows: some Sequence<Row>, in context: ManagedObjectContext,
        _ fill: (Self, Row) throws -> Void
    ) throws -> [Self] {
        try context.create(Self.self, from: rows, fill)
    }
}
