public import FoundationEssentials

extension Filter {
    /// The condition of a `#Predicate`.
    ///
    /// ```swift
    /// let adults = try Filter(#Predicate<Person> { $0.isActive && $0.team?.title == "A" })
    /// ```
    ///
    /// It means what the closure with the same operators means, in SQL and in memory. Where that is not
    /// what Foundation makes of it, as for the bytes of texts, the page on filters says so.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for what cannot be a filter; the message names it and
    ///   says what to write instead.
    public init<Entity: ManagedEntity>(_ predicate: Predicate<Entity>) throws {
        let entity = Entity.entityDescription
        let root = PredicateObject(scope: .root, steps: [], entity: entity)
        let translator = PredicateTranslator(entity: entity)
            .binding(predicate.variable, to: .object(root))
        self.init(try translator.condition(predicate.expression), of: entity)
    }
}

extension FetchRequest {
    /// The objects of this request for which a predicate is true as well.
    ///
    /// ```swift
    /// let request = try team.members.request.where(#Predicate { $0.isActive })
    /// ```
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a predicate that cannot be a filter.
    public func `where`(_ predicate: Predicate<Entity>) throws -> Self {
        var copy = self
        let added = try Filter(predicate)
        copy.filter = filter.map { $0 && added } ?? added
        return copy
    }
}

extension ManagedEntity {
    /// The objects for which a predicate is true, as a request.
    ///
    /// ```swift
    /// let request = try Person.where(#Predicate { $0.team?.title == "A" })
    /// ```
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a predicate that cannot be a filter.
    public static func `where`(_ predicate: Predicate<Self>) throws -> FetchRequest<Self> {
        FetchRequest(filter: try Filter(predicate))
    }
}
