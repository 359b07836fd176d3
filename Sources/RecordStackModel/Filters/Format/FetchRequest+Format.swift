extension FetchRequest {
    /// The objects of this request for which another condition is true as well, which is written as a format
    /// string.
    ///
    /// ```swift
    /// let request = try Person.all.where(format: "name BEGINSWITH[c] %@", "q").limited(to: 10)
    /// ```
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` that says what is wrong and at which place of the format.
    public func `where`(
        format: String, _ arguments: (any FormatArgument)?...,
        variables: [String: (any FormatArgument)?] = [:]
    ) throws -> Self {
        let added = try Filter(
            format: format, arguments: arguments, variables: variables, for: Entity.self)
        var copy = self
        copy.filter = filter.map { $0 && added } ?? added
        return copy
    }
}

extension ManagedEntity {
    /// The objects for which a condition is true that is written as a format string.
    ///
    /// ```swift
    /// let request = try Person.where(format: "age >= %@ AND team.title == %@", 18, "A")
    /// ```
    ///
    /// - Parameters:
    ///   - format: the condition.
    ///   - arguments: what stands for `%@`, `%K`, `%d` and their like, in their order.
    ///   - variables: what stands for `$name`, by the names without the sign.
    /// - Throws: ``RecordStackError/Code/misuse`` that says what is wrong and at which place of the format.
    public static func `where`(
        format: String, _ arguments: (any FormatArgument)?...,
        variables: [String: (any FormatArgument)?] = [:]
    ) throws -> FetchRequest<Self> {
        FetchRequest(
            filter: try Filter(
                format: format, arguments: arguments, variables: variables, for: Self.self))
    }
}
