#if Macros
    public import RecordStackModel

    /// Makes a class an entity: its marked properties are stored, and objects of it live in contexts.
    ///
    /// ```swift
    /// @Entity final class Person: ManagedObject {
    ///     @Attribute(.unique) var email: String
    ///     @Attribute var name: String = ""
    ///     @Relationship(inverse: \Team.members) var team: Team?
    /// }
    /// ```
    ///
    /// The class inherits from `ManagedObject` or from another entity, whose properties it then has
    /// as well. The macro adds `create(in:…)` with a parameter for each of the class's own
    /// properties; what has no default must be given.
    ///
    @attached(
        member, names: named(RecordSlot), named(slotCount), named(relationshipCount),
        named(properties), named(entityDescription), named(storedDescription), named(init),
        named(make), named(load), named(write), named(storedValue), named(create)
    )
    public macro Entity() =
        #externalMacro(module: "RecordStackMacros", type: "EntityMacro")

    /// Makes a class an entity whose imported rows are known by one of its attributes.
    ///
    /// ```swift
    /// @Entity(identity: \.email) final class Person: ManagedObject {
    ///     @Attribute(.unique) var email: String
    ///     @Attribute(.unique) var badge: Int
    /// }
    /// ```
    ///
    /// - Parameter identity: the attribute that says which object an imported row is. An entity
    ///   with one unique attribute needs to say nothing.
    @attached(
        member, names: named(RecordSlot), named(slotCount), named(relationshipCount),
        named(properties), named(entityDescription), named(storedDescription), named(init),
        named(make), named(load), named(write), named(storedValue), named(create)
    )
    public macro Entity(identity: KeyPath<EntityPropertyNames, EntityPropertyNames>) =
        #externalMacro(module: "RecordStackMacros", type: "EntityMacro")

    /// Makes a property an attribute: its value is stored.
    ///
    /// ```swift
    /// @Attribute(.unique, .imported(from: "e-mail", "contact.mail")) var email: String
    /// @Attribute var age: Int?
    /// ```
    ///
    /// The type conforms to `AttributeValue`. A property without an initial value that is not
    /// optional is required: an object that was never given one fails validation.
    @attached(accessor)
    @attached(peer, names: prefixed(_))
    public macro Attribute(_ options: AttributeOption...) =
        #externalMacro(module: "RecordStackMacros", type: "AttributeMacro")

    /// Makes a property a relationship to objects of another entity, or of the same.
    ///
    /// ```swift
    /// @Relationship(inverse: \Team.members) var team: Team?       // in Person
    /// @Relationship var members: ToMany<Person>                   // in Team
    /// ```
    ///
    /// - Parameters:
    ///   - options: `.required`, `.stored(as:)`.
    ///   - deleteRule: what becomes of the other end when the object is deleted.
    ///   - inverse: the property at the other end that leads back. It is declared on one side only:
    ///     declared on both, the compiler reports a circular reference.
    @attached(accessor)
    @attached(peer, names: prefixed(_))
    public macro Relationship(
        _ options: RelationshipOption..., deleteRule: DeleteRule = .nullify,
        inverse: AnyKeyPath? = nil
    ) = #externalMacro(module: "RecordStackMacros", type: "RelationshipMacro")
#endif
