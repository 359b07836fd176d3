public import RecordStackGraph
public import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// Finds or creates the object of each row, and calls a closure to set its values.
    ///
    /// ```swift
    /// try Person.upsert(rows, by: \.email, key: { $0.mail }, in: context) { person, row, isNew in
    ///     person.name = row.name
    ///     if isNew { person.joined = .now }
    /// }
    /// ```
    ///
    /// SQL calls the compared attribute the conflict target. The object of a row is the object
    /// whose attribute equals the row's key. It can be stored, or pending in this context or in an
    /// ancestor. If several objects have the key, the upsert uses the object with the smallest ID.
    /// The upsert compares values in their stored form, and strings by their UTF-8 bytes. Rows with
    /// the same key share one object. A row whose key is nil or NaN always becomes a new object. If
    /// the attribute is optional, it is nil in that object.
    ///
    /// The closure decides what to update. Setting a value that the object already has is not a
    /// change, so upserting the same rows again writes nothing.
    ///
    /// The upsert looks up 1,000 rows with one query. The query is fast if the attribute has an
    /// index (`.unique`, `.indexed`). The next save of the context writes the changes.
    ///
    /// - Parameters:
    ///   - rows: The rows, of any type.
    ///   - target: The attribute to compare, usually a unique one.
    ///   - key: Returns a row's value of the attribute.
    ///   - context: The context of the objects.
    ///   - fill: Sets the values of an object from its row. `isNew` is true for a new object. The
    ///     attribute of a new object is already set to the key. The closure may change the
    ///     attribute of its own object, but not the attribute of another object.
    /// - Returns: How many rows became new objects, and how many rows matched an object.
    /// - Throws: Any error of the closures; ``RecordStackError/Code/misuse`` for a key path that is
    ///   not an attribute, and for an abstract entity; and any error of finding or creating
    ///   objects. Changes made before the error stay in the context. If a closure throws for an
    ///   object, that object also keeps the values that the closure has set.
    @discardableResult
    public static func upsert<Row, Value: AttributeValue>(
        _ rows: some Sequence<Row>, by target: KeyPath<Self, Value>,
        key: (Row) throws -> Value?,
        in context: ManagedObjectContext, _ fill: (Self, Row, _ isNew: Bool) throws -> Void
    ) throws -> UpsertSummary {
        try context.upsert(
            Self.self, rows, by: [slot(target)], key: { try storedValues(key($0)) },
            returning: .summary, fill)
    }

    /// Finds or creates the object of each row by two attributes, and sets its values.
    ///
    /// ```swift
    /// try Lesson.upsert(
    ///     rows, by: \.course, \.number, key: { ($0.course, $0.number) }, in: context
    /// ) {
    ///     lesson, row, isNew in lesson.title = row.title
    /// }
    /// ```
    ///
    /// The object of a row is the object that has both values. A rule such as
    /// `@Entity(.unique(\.course, \.number))` provides the index for the lookup. As with that rule,
    /// nil matches no object, so a row with a nil key value always becomes a new object. The new
    /// object gets the key value that is not nil. The other attribute is nil if it is optional.
    /// Apart from that, the upsert works like ``upsert(_:by:key:in:_:)``.
    @discardableResult
    public static func upsert<Row, First: AttributeValue, Second: AttributeValue>(
        _ rows: some Sequence<Row>, by first: KeyPath<Self, First>,
        _ second: KeyPath<Self, Second>, key: (Row) throws -> (First?, Second?),
        in context: ManagedObjectContext,
        _ fill: (Self, Row, _ isNew: Bool) throws -> Void
    ) throws -> UpsertSummary {
        try context.upsert(
            Self.self, rows, by: [slot(first), slot(second)], key: { try storedValues(key($0)) },
            returning: .summary, fill)
    }

    static func slot<Value: AttributeValue>(
        _ keyPath: KeyPath<Self, Value>
    ) throws -> Int {
        let attribute = FilterProxy<Self>()[dynamicMember: keyPath]
        if case .path(let path)? = attribute.operand { return path.slot }
        throw RecordStackError(.misuse, attribute.problem, entity: entityDescription.name)
    }
}

func storedValues(_ value: (some AttributeValue)?) -> [StoredValue] {
    [value?.storedValue ?? .null]
}

func storedValues(
    _ values: ((some AttributeValue)?, (some AttributeValue)?)
) -> [StoredValue] {
    storedValues(values.0) + storedValues(values.1)
}
