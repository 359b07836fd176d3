#if Macros
    public import RecordStackModel

    /// Turns a class into an entity, whose variables the store keeps.
    ///
    /// ```swift
    /// @Entity final class Person: ManagedObject {
    ///     @Attribute(.unique) var email: String
    ///     var name: String = ""
    ///     @Relationship(inverse: \Team.members) var team: Team?
    /// }
    /// ```
    ///
    /// Each object of the class belongs to a context. A stored `var` of any access level is an
    /// attribute if its type conforms to `AttributeValue`. It is a relationship if its type is
    /// `ToMany` or `OrderedToMany`. `@Attribute` and `@Relationship` add options. A to-one
    /// relationship always needs `@Relationship`, because a macro cannot determine whether a type
    /// is an entity. The store does not keep computed, static or lazy variables, or variables with
    /// `@Attribute(.transient)`.
    ///
    /// The class must inherit from `ManagedObject`, directly or through another entity. The macro
    /// adds `create(in:…)`, with a parameter for each property that the class itself declares. If
    /// such a call leaves out a property without a default, it does not compile. Every entity also
    /// has a second method, `create(in:)`, which takes no values. Set the required properties after
    /// a call of `create(in:)`: if one of them has no value, the save throws
    /// ``RecordStackError/Code/validation``. Override life-cycle hooks in the class itself:
    ///
    /// ```swift
    /// override func willSave() { … }
    /// ```
    ///
    /// Options can follow the macro's name:
    ///
    /// ```swift
    /// @Entity(
    ///     .unique(\.team, \.number), .indexed(\.name), .stored(as: "players"), identity: \.email)
    /// final class Player: ManagedObject { … }
    /// ```
    ///
    /// - Parameters:
    ///   - options: Options of the entity as a whole: `.unique`, `.indexed`, `.stored(as:)` and
    ///     `.abstract`.
    ///   - identity: The attribute that identifies the object of an imported row. Several
    ///     attributes and to-one relationships can identify it together:
    ///     `identity: \.team, \.number`. You can leave the identity out if the superentity has an
    ///     identity, if the entity has exactly one unique attribute, or if it has exactly one
    ///     `.unique` rule and no unique attribute.
    ///
    /// The entity has the name of the class. If two classes that are nested in different types have
    /// the same name, give one of their entities another name:
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

    /// Turns a class into an entity with a name that you choose.
    ///
    /// ```swift
    /// @Entity("BillingAddress") final class Address: ManagedObject { … }
    /// ```
    ///
    /// Apart from the name, the macro works like ``Entity(_:identity:)``.
    ///
    /// - Parameters:
    ///   - name: The entity's name in the model and in messages. It is also the name of the table,
    ///     unless `.stored(as:)` sets another name.
    ///   - options: The options, as in ``Entity(_:identity:)``.
    ///   - identity: The identity, as in ``Entity(_:identity:)``.
    @attached(memberAttribute)
    @attached(
        member, names: arbitrary
    )
    public macro Entity(
        _ name: String, _ options: EntityOption...,
        identity: KeyPath<EntityPropertyNames, EntityPropertyNames>...
    ) =
        #externalMacro(module: "RecordStackMacros", type: "EntityMacro")

    /// Turns a property into an attribute, whose value the store keeps.
    ///
    /// ```swift
    /// @Attribute(.unique, .imported(from: "e-mail", "contact.mail")) var email: String
    /// @Attribute var age: Int?
    /// ```
    ///
    /// The type must conform to `AttributeValue`. A property is required if it is not optional and
    /// has no initial value. An object in which a required property was never set fails validation.
    ///
    /// With `.transient`, the store does not keep the value. Setting the value does not make the
    /// object dirty, and filters cannot use it. Each time the object is loaded, the property starts
    /// with its initial value.
    @attached(accessor)
    public macro Attribute(_ options: AttributeOption...) =
        #externalMacro(module: "RecordStackMacros", type: "AttributeMacro")

    /// Turns a property into a relationship to objects of the same or another entity.
    ///
    /// ```swift
    /// @Relationship(inverse: \Team.members) var team: Team?       // in Person
    /// @Relationship var members: ToMany<Person>                   // in Team
    /// ```
    ///
    /// - Parameters:
    ///   - options: Options such as `.required`, `.stored(as:)` and `.oneWay`. A to-many
    ///     relationship can also have `.count(_:)` and `.symmetric`.
    ///   - deleteRule: The rule for the related objects when the object is deleted.
    ///   - inverse: The property of the destination that refers back. Declare it on one side only:
    ///     if both sides declare it, the compiler reports a circular reference.
    @attached(accessor)
    public macro Relationship(
        _ options: RelationshipOption..., deleteRule: DeleteRule = .nullify,
        inverse: AnyKeyPath? = nil
    ) = #externalMacro(module: "RecordStackMacros", type: "RelationshipMacro")
#endif
