#if Macros
    public import RecordStackModel

    /// Makes a class an entity: its stored variables are stored in the database, and objects of it live in contexts.
    ///
    /// ```swift
    /// @Entity final class Person: ManagedObject {
    ///     @Attribute(.unique) var email: String
    ///     var name: String = ""
    ///     @Relationship(inverse: \Team.members) var team: Team?
    /// }
    /// ```
    ///
    /// A stored `var` of a type that conforms to `AttributeValue` is an attribute without a word, whatever its access
    /// level, and one of type `ToMany` or `OrderedToMany` is a relationship. `@Attribute` and `@Relationship` add options.
    /// A to-one relationship always needs `@Relationship`, because a macro cannot know that a type is an entity. Computed,
    /// static and lazy variables are not stored, and neither is one with `@Attribute(.transient)`.
    ///
    /// The class inherits from `ManagedObject` or from another entity, whose properties it then has
    /// as well. The macro adds `create(in:…)` with a parameter for each of the class's own
    /// properties; those without a default must be given there, or the call does not compile. Every entity also has
    /// `create(in:)` without values: required properties are set afterwards, and a save fails with
    /// ``RecordStackError/Code/validation`` where one was not. Life-cycle hooks are overridden in the class itself:
    ///
    /// ```swift
    /// override func willSave() { … }
    /// ```
    ///
    /// ```swift
    /// @Entity(.unique(\.team, \.number), .indexed(\.name), .stored(as: "players"), identity: \.email)
    /// final class Player: ManagedObject { … }
    /// ```
    ///
    /// - Parameters:
    ///   - options: `.unique`, `.indexed`, `.stored(as:)` and `.abstract`, of the entity as a whole.
    ///   - identity: the attribute that says which object an imported row is, or the attributes and to-one
    ///     relationships that say it together: `identity: \.team, \.number`. An entity with one unique
    ///     attribute, or with one rule `.unique` and no unique attribute, and one whose superentity has an identity,
    ///     need to say nothing.
    ///
    /// The entity has the name of the class. Two classes of one name, in different types, need names of their own:
    ///
    /// ```swift
    /// enum Billing {
    ///     @Entity("BillingAddress") final class Address: ManagedObject { … }
    /// }
    /// ```
    @attached(memberAttribute)
    @attached(
        member, names: arbitrary
    )
    public macro Entity(
        _ options: EntityOption...,
        identity: KeyPath<EntityPropertyNames, EntityPropertyNames>...
    ) =
        #externalMacro(module: "RecordStackMacros", type: "EntityMacro")

    /// ``Entity(_:identity:)`` with another name than the class has.
    ///
    /// ```swift
    /// @Entity("BillingAddress") final class Address: ManagedObject { … }
    /// ```
    ///
    /// - Parameters:
    ///   - name: the entity's name in the model, in messages, and of its table, if `.stored(as:)` gives it no other one.
    ///   - options: as of an entity without a name.
    ///   - identity: as of an entity without a name.
    @attached(memberAttribute)
    @attached(
        member, names: arbitrary
    )
    public macro Entity(
        _ name: String, _ options: EntityOption...,
        identity: KeyPath<EntityPropertyNames, EntityPropertyNames>...
    ) =
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
    ///
    /// With `.transient`, the value is kept in the object alone: it is no change, takes no part in
    /// filters, and begins anew whenever the object is loaded.
    @attached(accessor)
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
    ///   - options: `.required`, `.count(_:)` and `.symmetric` of a to-many, and `.stored(as:)`.
    ///   - deleteRule: what becomes of the other end when the object is deleted.
    ///   - inverse: the property of the destination that refers back. It is declared on one side only:
    ///     declared on both, the compiler reports a circular reference.
    @attached(accessor)
    public macro Relationship(
        _ options: RelationshipOption..., deleteRule: DeleteRule = .nullify,
        inverse: AnyKeyPath? = nil
    ) = #externalMacro(module: "RecordStackMacros", type: "RelationshipMacro")
#endif
