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
    /// - Throws: ``RecordStackError/Code/misuse`` that says what is wrong and at which place of the format.
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
        let source = Array(format.unicodeScalars)
        let description = entity.entityDescription
        do {
            var parser = try FormatParser(source, arguments.map(Self.literal))
            let term = try parser.format()
            let resolver = FormatResolver(
                source: source, variables: variables.mapValues(Self.literal))
            let node = try resolver.condition(term, FormatScope(description))
            if node.levels > FilterLevels.most {
                throw FormatProblem(FilterLevels.message, at: 0)
            }
            self.init(node, of: description)
        } catch let problem as FormatProblem {
            throw problem.error(in: source, entity: description)
        }
    }

    private static func literal(_ argument: (any FormatArgument)?) -> FormatLiteral {
        argument?.formatValue.literal ?? .null
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
            return try FormatPrinter(entity.entityDescription).text(node)
        } catch let failure as FormatPrinter.Failure {
            throw RecordStackError(
                .misuse, failure.message, entity: entity.entityDescription.name)
        }
    }
}
