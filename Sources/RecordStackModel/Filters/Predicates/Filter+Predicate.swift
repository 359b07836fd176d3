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
