extension Filter {
    /// Creates a condition on the objects of an entity from a format string.
    ///
    /// ```swift
    /// let filter = try Filter(
    ///     format: "age >= %@ AND name BEGINSWITH[c] %@ AND team.title IN $titles", 18, "q",
    ///     variables: ["titles": ["A", "B"]], for: Person.self)
    /// ```
    ///
    /// The initializer looks up names in the entity, and checks the types of compared values.
    /// Arguments are only values: a string argument is never parsed as a part of the format.
    ///
    /// - Parameters:
    ///   - format: the condition, in the language that the page *Format strings* describes.
    ///   - arguments: the values for `%@`, `%K`, `%d` and similar placeholders, in their order.
    ///   - variables: the values for `$name`, by name without the dollar sign.
    ///   - entity: the entity whose objects the condition is about.
    /// - Throws: ``RecordStackError/Code/misuse``, with a message that says what is wrong, and
    ///   where in the format.
    public init<Entity: ManagedEntity>(
        format: String, _ arguments: (any FormatArgument)?...,
        variables: [String: (any FormatArgument)?] = [:], for entity: Entity.Type
    ) throws {
        try self.init(format: format, arguments: arguments, variables: variables, for: entity)
    }

    /// Creates a condition from a format string and an array of arguments.
    public init<Entity: ManagedEntity>(
        format: String, arguments: [(any FormatArgument)?],
        variables: [String: (any FormatArgument)?] = [:], for entity: Entity.Type
    ) throws {
        let entity = entity.entityDescription
        self.init(
            try FilterFormat(format, arguments, variables).condition(for: entity), of: entity)
    }

    /// Returns the filter as a format string.
    ///
    /// If you pass the string to ``init(format:_:variables:for:)``, you get the same filter.
    ///
    /// ```swift
    /// let request = Person.where { $0.age >= 18 && $0.team.members.any { $0.isActive } }
    /// print(try request.filter!.formatString(for: Person.self))
    /// // age >= 18 AND ANY team.members.isActive == TRUE
    /// ```
    ///
    /// - Parameter entity: the entity for which the filter was created.
    /// - Throws: ``RecordStackError/Code/misuse`` if the filter cannot be used, or if it uses a
    ///   property that the entity does not have.
    public func formatString<Entity: ManagedEntity>(for entity: Entity.Type) throws -> String {
        do {
            let entity = entity.entityDescription
            return try FormatPrinter(entity).text(node.reading(in: FormatScope(entity)))
        } catch let failure as FormatPrinter.Failure {
            throw RecordStackError(
                .misuse, failure.message, entity: entity.entityDescription.name)
        }
    }
}

// An extension of the protocol, so that `filter && .format("…")` finds the function too.
extension FilterConvertible where Self == Filter {
    /// Returns a condition from a format string, for the entity of the request.
    ///
    /// ```swift
    /// let adults = try Person.find(
    ///     matching: .format("age >= %@ AND team.title == %@", 18, "A"), in: context)
    /// ```
    ///
    /// If something is wrong with the condition, the request throws
    /// ``RecordStackError/Code/misuse``. The message says what is wrong, and where in the format.
    /// Each use parses the format again. To parse it only one time, use
    /// ``Filter/init(format:_:variables:for:)``.
    ///
    /// - Parameters:
    ///   - format: the condition, in the language that the page *Format strings* describes.
    ///   - arguments: the values for `%@`, `%K`, `%d` and similar placeholders, in their order.
    ///   - variables: the values for `$name`, by name without the dollar sign.
    public static func format(
        _ format: String, _ arguments: (any FormatArgument)?...,
        variables: [String: (any FormatArgument)?] = [:]
    ) -> Filter {
        Filter(.format(FilterFormat(format, arguments, variables)))
    }
}
