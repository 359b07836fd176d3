public import RecordStackGraph
public import RecordStackModel

// The verbs with a format string in place of a closure.
extension ManagedEntity where Self: ManagedObject {
    /// The objects for which a condition is true that is written as a format string.
    ///
    /// ```swift
    /// let adults = try Person.find(
    ///     format: "age >= %@ AND team.title == %@", 18, "A", sortedBy: .ascending(\.name), in: context)
    /// ```
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` that says what is wrong and at which place of the format;
    ///   and what the closure's form throws.
    public static func find(
        format: String, _ arguments: (any FormatArgument)?...,
        variables: [String: (any FormatArgument)?] = [:], sortedBy sortKeys: SortKey<Self>...,
        limit: Int? = nil, offset: Int = 0, in context: ManagedObjectContext
    ) throws -> [Self] {
        try context.find(
            request(format, arguments, variables, sortKeys, limit: limit, offset: offset))
    }

    /// The first object for which a condition is true; nil where there is none.
    public static func findFirst(
        format: String, _ arguments: (any FormatArgument)?...,
        variables: [String: (any FormatArgument)?] = [:], sortedBy sortKeys: SortKey<Self>...,
        in context: ManagedObjectContext
    ) throws -> Self? {
        try context.findFirst(request(format, arguments, variables, sortKeys))
    }

    /// How many objects there are for which a condition is true. Makes none.
    public static func count(
        format: String, _ arguments: (any FormatArgument)?...,
        variables: [String: (any FormatArgument)?] = [:], in context: ManagedObjectContext
    ) throws -> Int {
        try context.count(request(format, arguments, variables))
    }

    /// Whether there is an object for which a condition is true. Makes none.
    public static func exists(
        format: String, _ arguments: (any FormatArgument)?...,
        variables: [String: (any FormatArgument)?] = [:], in context: ManagedObjectContext
    ) throws -> Bool {
        try context.exists(request(format, arguments, variables))
    }

    /// A page of the objects for which a condition is true.
    ///
    /// - Parameters:
    ///   - number: the page, from 1. Page 0 and pages past the end are empty.
    ///   - size: how many objects a page has, at least 1.
    public static func page(
        _ number: Int, size: Int, format: String, _ arguments: (any FormatArgument)?...,
        variables: [String: (any FormatArgument)?] = [:], sortedBy sortKeys: SortKey<Self>...,
        in context: ManagedObjectContext
    ) throws -> Page<Self> {
        try context.page(
            number, size: size, of: request(format, arguments, variables, sortKeys))
    }

    /// The only object for which a condition is true.
    /// - Throws: ``RecordStackError/Code/notFound`` where there is none, ``RecordStackError/Code/notUnique``
    ///   where there are several, and what ``find(format:_:variables:sortedBy:limit:offset:in:)`` throws.
    public static func one(
        format: String, _ arguments: (any FormatArgument)?...,
        variables: [String: (any FormatArgument)?] = [:], in context: ManagedObjectContext
    ) throws -> Self {
        try context.one(request(format, arguments, variables))
    }

    /// The values of the objects for which a condition is true. Makes no objects where nothing is
    /// changed in memory.
    ///
    /// ```swift
    /// let people = try Person.snapshots(format: "age >= %@", 18, limit: 100, in: context)
    /// ```
    public static func snapshots(
        format: String, _ arguments: (any FormatArgument)?...,
        variables: [String: (any FormatArgument)?] = [:], sortedBy sortKeys: SortKey<Self>...,
        limit: Int? = nil, offset: Int = 0, in context: ManagedObjectContext
    ) throws -> [Snapshot<Self>] {
        let request = try request(
            format, arguments, variables, sortKeys, limit: limit, offset: offset)
        return try context.queries.snapshots(context.storeRequest(request), as: Self.self)
    }

    /// Marks the objects for which a condition is true for deletion by the next save.
    ///
    /// ```swift
    /// try Person.delete(format: "team.title IN %@", ["A", "B"], in: context)
    /// ```
    ///
    /// - Returns: how many there were.
    @discardableResult
    public static func delete(
        format: String, _ arguments: (any FormatArgument)?...,
        variables: [String: (any FormatArgument)?] = [:], in context: ManagedObjectContext
    ) throws -> Int {
        try context.delete(request(format, arguments, variables))
    }

    fileprivate static func request(
        _ format: String, _ arguments: [(any FormatArgument)?],
        _ variables: [String: (any FormatArgument)?], _ sortKeys: [SortKey<Self>] = [],
        limit: Int? = nil, offset: Int = 0
    ) throws -> FetchRequest<Self> {
        FetchRequest(
            filter: try Filter(
                format: format, arguments: arguments, variables: variables, for: Self.self),
            sortKeys: sortKeys, limit: limit, offset: offset)
    }
}

// For main-actor code, in the default context.
@MainActor
extension ManagedEntity where Self: ManagedObject {
    /// The objects for which a condition is true that is written as a format string, in the default
    /// context of ``ContextStack/default``.
    public static func find(
        format: String, _ arguments: (any FormatArgument)?...,
        variables: [String: (any FormatArgument)?] = [:], sortedBy sortKeys: SortKey<Self>...,
        limit: Int? = nil, offset: Int = 0
    ) throws -> [Self] {
        try ContextStack.requireDefaultContext().find(
            request(format, arguments, variables, sortKeys, limit: limit, offset: offset))
    }

    /// The first object for which a condition is true, in the default context of
    /// ``ContextStack/default``.
    public static func findFirst(
        format: String, _ arguments: (any FormatArgument)?...,
        variables: [String: (any FormatArgument)?] = [:], sortedBy sortKeys: SortKey<Self>...
    ) throws -> Self? {
        try ContextStack.requireDefaultContext().findFirst(
            request(format, arguments, variables, sortKeys))
    }

    /// How many objects there are for which a condition is true, as the default context of
    /// ``ContextStack/default`` sees them.
    public static func count(
        format: String, _ arguments: (any FormatArgument)?...,
        variables: [String: (any FormatArgument)?] = [:]
    ) throws -> Int {
        try ContextStack.requireDefaultContext().count(request(format, arguments, variables))
    }

    /// Whether there is an object for which a condition is true, as the default context of
    /// ``ContextStack/default`` sees them.
    public static func exists(
        format: String, _ arguments: (any FormatArgument)?...,
        variables: [String: (any FormatArgument)?] = [:]
    ) throws -> Bool {
        try ContextStack.requireDefaultContext().exists(request(format, arguments, variables))
    }

    /// A page of the objects for which a condition is true, in the default context of
    /// ``ContextStack/default``.
    public static func page(
        _ number: Int, size: Int, format: String, _ arguments: (any FormatArgument)?...,
        variables: [String: (any FormatArgument)?] = [:], sortedBy sortKeys: SortKey<Self>...
    ) throws -> Page<Self> {
        try ContextStack.requireDefaultContext().page(
            number, size: size, of: request(format, arguments, variables, sortKeys))
    }
}
