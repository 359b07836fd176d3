public import RecordStackGraph
public import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// Finds the object of each row, or makes one, and has it filled in.
    ///
    /// ```swift
    /// try Person.upsert(rows, by: \.email, key: { $0.mail }, in: context) { person, row, isNew in
    ///     person.name = row.name
    ///     if isNew { person.joined = .now }
    /// }
    /// ```
    ///
    /// The attribute is what SQL calls the conflict target. A row's object is the one that has the row's key
    /// there, stored or pending, in this context or above it; of several, the one with the smallest ID. Values
    /// are compared as they are stored, texts by their UTF-8 bytes. Rows with the same key are rows of the same
    /// object; a nil key belongs to none, nor does a NaN, so their rows become new objects each time, whose attribute is nil
    /// where it can be.
    ///
    /// What to update is what the closure sets. Setting what an object has already is no change: the same rows
    /// again write nothing.
    ///
    /// Rows are looked up 1,000 with one query, which an index of the attribute serves (`.unique`, `.indexed`).
    /// What is changed is inserted and updated by the context's next save.
    ///
    /// - Parameters:
    ///   - rows: what the objects are filled in from, in any type.
    ///   - target: an attribute; usually a unique one.
    ///   - key: a row's value of the attribute.
    ///   - context: where the objects live.
    ///   - fill: gives an object the values of its row. It is told whether the object is new; the attribute is
    ///     set already. It may change the attribute of its own object, and not of others.
    /// - Returns: how many rows became new objects, and how many met one.
    /// - Throws: what the closures throw; ``RecordStackError/Code/misuse`` for a key path that is no attribute and
    ///   for an abstract entity; and what finding and creating throw. What was done before stays in the context,
    ///   with it the object of the row at which a closure threw, as far as it was filled in.
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

    /// Finds the object of each row by two attributes, or makes one, and has it filled in.
    ///
    /// ```swift
    /// try Lesson.upsert(rows, by: \.course, \.number, key: { ($0.course, $0.number) }, in: context) {
    ///     lesson, row, isNew in lesson.title = row.title
    /// }
    /// ```
    ///
    /// A row's object is the one that has both of its values. A row with a nil among them becomes a new object each time, as
    /// with a rule such as `@Entity(.unique(\.course, \.number))`, whose index serves; the object has the other value,
    /// and nil where the attribute can be nil. It is otherwise as ``upsert(_:by:key:in:_:)``.
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
