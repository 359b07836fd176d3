// Errors for attributes whose type cannot be stored. An attribute's setter calls `willChangeValue(at:from:)`, and for
// such a type the compiler finds only one of these.
extension ManagedObject {
    /// There for its message.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "An attribute's type is one that can be stored: a number, Bool, String, Date, Data, UUID, URL, Decimal, an array of these, an enum with a raw value, a Codable type, or an Optional of one of them. For a type of your own, write how it is stored: extension TheType: AttributeValue { … }. Write @Attribute(.transient) before a property that is not to be stored."
    )
    public final func willChangeValue<Value>(at slot: Int, from old: @autoclosure () -> Value) {}

    /// There for its message.
    @available(
        *, unavailable,
        message:
            "An object is related, not stored. Write @Relationship before the property, and an Optional as its type: @Relationship var name: TheType?."
    )
    public final func willChangeValue<Value: ManagedObject>(
        at slot: Int, from old: @autoclosure () -> Value?
    ) {}

    /// There for its message.
    @available(
        *, unavailable,
        message: "Several objects are a to-many relationship: var names: ToMany<TheType>."
    )
    public final func willChangeValue<Value: ManagedObject>(
        at slot: Int, from old: @autoclosure () -> [Value]?
    ) {}

    /// There for its message.
    @available(
        *, unavailable,
        message: "Several objects are a to-many relationship: var names: ToMany<TheType>."
    )
    public final func willChangeValue<Value: ManagedObject>(
        at slot: Int, from old: @autoclosure () -> Set<Value>?
    ) {}

    /// There for its message.
    @available(
        *, unavailable,
        message:
            "An enum with a raw value is stored when it says so: enum TheType: String, EnumAttributeValue."
    )
    public final func willChangeValue<Value: RawRepresentable>(
        at slot: Int, from old: @autoclosure () -> Value?
    ) {}

    /// There for its message: for a Codable enum, neither of its neighbours is the better fit.
    @available(
        *, unavailable,
        message:
            "An enum with a raw value is stored when it says so: enum TheType: String, EnumAttributeValue."
    )
    public final func willChangeValue<Value: RawRepresentable & Codable>(
        at slot: Int, from old: @autoclosure () -> Value?
    ) {}

    /// There for its message.
    @available(
        *, unavailable,
        message:
            "A Codable type is stored, as JSON, when it says so: struct TheType: CodableAttributeValue."
    )
    public final func willChangeValue<Value: Codable>(
        at slot: Int, from old: @autoclosure () -> Value?
    ) {}
}
