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
        var request = try request(format, arguments, variables)
        request.sortKeys = sortKeys
        request.limit = limit
        request.offset = offset
        return try context.find(request)
    }

    /// The first object for which a condition is true; nil where there is none.
    public static func findFirst(
        format: String, _ arguments: (any FormatArgument)?...,
        variables: [String: (any FormatArgument)?] = [:], sortedBy sortKeys: SortKey<Self>...,
        in context: ManagedObjectContext
    ) throws -> Self? {
        var request = try request(format, arguments, variables)
        request.sortKeys = sortKeys
        return try context.findFirst(request)
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
        var request = try request(format, arguments, variables)
        request.sortKeys = sortKeys
        return try context.page(number, size: size, of: request)
    }

    private static func request(
        _ format: String, _ arguments: [(any FormatArgument)?],
        _ variables: [String: (any FormatArgument)?]
    ) throws -> FetchRequest<Self> {
        FetchRequest(
            filter: try Filter(
                format: format, arguments: arguments, variables: variables, for: Self.self))
    }
}
