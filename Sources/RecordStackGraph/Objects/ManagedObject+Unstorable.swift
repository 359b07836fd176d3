// Error messages for attributes whose type cannot be stored. An attribute's setter calls
// `willChangeValue(at:from:)`. For such a type, the compiler finds only one of these overloads.
extension ManagedObject {
    /// Never called: produces the compiler's error for a type that cannot be stored.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "An attribute's type is one that can be stored: a number, Bool, String, Date, Data, UUID, URL, Decimal, an array of these, an enum with a raw value, a Codable type, or an Optional of one of them. For a type of your own, write how it is stored: extension TheType: AttributeValue { … }. Write @Attribute(.transient) before a property that is not to be stored."
    )
    public final func willChangeValue<Value>(at slot: Int, from old: @autoclosure () -> Value) {}

    /// Never called: produces the compiler's error for an attribute that is an object.
    @available(
        *, unavailable,
        message:
            "An object is related, not stored. Write @Relationship before the property, and an Optional as its type: @Relationship var name: TheType?."
    )
    public final func willChangeValue<Value: ManagedObject>(
        at slot: Int, from old: @autoclosure () -> Value?
    ) {}

    /// Never called: produces the compiler's error for an attribute that is an array of objects.
    @available(
        *, unavailable,
        message: "Several objects are a to-many relationship: var names: ToMany<TheType>."
    )
    public final func willChangeValue<Value: ManagedObject>(
        at slot: Int, from old: @autoclosure () -> [Value]?
    ) {}

    /// Never called: produces the compiler's error for an attribute that is a set of objects.
    @available(
        *, unavailable,
        message: "Several objects are a to-many relationship: var names: ToMany<TheType>."
    )
    public final func willChangeValue<Value: ManagedObject>(
        at slot: Int, from old: @autoclosure () -> Set<Value>?
    ) {}

    /// Never called: produces the compiler's error for an enum without `EnumAttributeValue`.
    @available(
        *, unavailable,
        message:
            "An enum with a raw value is stored when it says so: enum TheType: String, EnumAttributeValue."
    )
    public final func willChangeValue<Value: RawRepresentable>(
        at slot: Int, from old: @autoclosure () -> Value?
    ) {}

    /// Never called: produces the error for a Codable enum without `EnumAttributeValue`.
    ///
    /// Without this method, such an enum would fit two other overloads equally well.
    @available(
        *, unavailable,
        message:
            "An enum with a raw value is stored when it says so: enum TheType: String, EnumAttributeValue."
    )
    public final func willChangeValue<Value: RawRepresentable & Codable>(
        at slot: Int, from old: @autoclosure () -> Value?
    ) {}

    /// Never called: produces the error for a Codable type without `CodableAttributeValue`.
    @available(
        *, unavailable,
        message:
            "A Codable type is stored, as JSON, when it says so: struct TheType: CodableAttributeValue."
    )
    public final func willChangeValue<Value: Codable>(
        at slot: Int, from old: @autoclosure () -> Value?
    ) {}
}
