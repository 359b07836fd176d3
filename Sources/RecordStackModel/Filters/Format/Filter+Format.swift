extension Filter {
    /// A condition on objects of an entity, in the language of format strings.
    ///
    /// ```swift
    /// let filter = try Filter(
    ///     format: "age >= %@ AND name BEGINSWITH[c] %@ AND team.title IN $titles", 18, "q",
    ///     variables: ["titles": ["A", "B"]], for: Person.self)
    /// ```
    ///
    /// The names are checked against the entity, and the types of what is compared. Arguments are values and
    /// nothing else: whatever a text contains, it stays a text.
    ///
    /// - Parameters:
    ///   - format: the condition; the documentation's page on format strings has the language.
    ///   - arguments: what stands for `%@`, `%K`, `%d` and their like, in their order.
    ///   - variables: what stands for `$name`, by the names without the sign.
    ///   - entity: whose objects the condition is about.
    /// - Throws: ``RecordStackError/Code/misuse`` that says what is wrong and where in the format.
    public init<Entity: ManagedEntity>(
        format: String, _ arguments: (any FormatArgument)?...,
        variables: [String: (any FormatArgument)?] = [:], for entity: Entity.Type
    ) throws {
        try self.init(format: format, arguments: arguments, variables: variables, for: entity)
    }

    /// The same with the arguments in an array.
    public init<Entity: ManagedEntity>(
        format: String, arguments: [(any FormatArgument)?],
        variables: [String: (any FormatArgument)?] = [:], for entity: Entity.Type
    ) throws {
        let entity = entity.entityDescription
        self.init(
            try FilterFormat(format, arguments, variables).condition(for: entity), of: entity)
    }

    /// The filter as a format string, from which ``init(format:_:variables:for:)`` makes the same filter.
    ///
    /// ```swift
    /// let request = Person.where { $0.age >= 18 && $0.team.members.any { $0.isActive } }
    /// print(try request.filter!.formatString(for: Person.self))
    /// // age >= 18 AND ANY team.members.isActive == TRUE
    /// ```
    ///
    /// - Parameter entity: the entity that the filter was made for.
    /// - Throws: ``RecordStackError/Code/misuse`` for a filter that cannot be used, and for one that names
    ///   what the entity does not have.
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

// Here and not at Filter, so that `filter && .format("…")` finds it, too.
extension FilterConvertible where Self == Filter {
    /// A condition in the language of format strings, on objects of the entity that it is asked of.
    ///
    /// ```swift
    /// let adults = try Person.find(matching: .format("age >= %@ AND team.title == %@", 18, "A"), in: context)
    /// ```
    ///
    /// The verb that it is handed to throws ``RecordStackError/Code/misuse`` where something is wrong with it, and
    /// says what and where in the format. It reads the text each time; ``init(format:_:variables:for:)``
    /// reads it once.
    ///
    /// - Parameters:
    ///   - format: the condition; the documentation's page on format strings has the language.
    ///   - arguments: what stands for `%@`, `%K`, `%d` and their like, in their order.
    ///   - variables: what stands for `$name`, by the names without the sign.
    public static func format(
        _ format: String, _ arguments: (any FormatArgument)?...,
        variables: [String: (any FormatArgument)?] = [:]
    ) -> Filter {
        Filter(.format(FilterFormat(format, arguments, variables)))
    }
}
