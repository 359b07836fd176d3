public import FoundationEssentials

extension Filter {
    /// Creates a filter from a `#Predicate`.
    ///
    /// ```swift
    /// let adults = try Filter(#Predicate<Person> { $0.isActive && $0.team?.title == "A" })
    /// ```
    ///
    /// The filter means the same as a filter closure with the same operators, in SQL and in memory.
    /// In some cases, Foundation evaluates a predicate differently: for example, it does not
    /// compare strings by their bytes. The page *Filters, sort orders and pages* lists the
    /// differences.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a predicate that cannot become a filter. The
    ///   message names the problem and says what to write instead.
    public init<Entity: ManagedEntity>(_ predicate: Predicate<Entity>) throws {
        let entity = Entity.entityDescription
        let root = PredicateObject(scope: .root, steps: [], entity: entity)
        let translator = PredicateTranslator(entity: entity)
            .binding(predicate.variable, to: .object(root))
        self.init(try translator.condition(predicate.expression), of: entity)
    }
}
