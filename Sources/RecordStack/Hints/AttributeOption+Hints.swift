public import RecordStackModel

// Options of other libraries. Each is unavailable, and its message says what RecordStack has instead. The macros leave them
// out of what they write, so that the compiler says it once.
extension AttributeOption {
    /// There for its message.
    @available(*, unavailable, renamed: "transient")
    public static var ephemeral: AttributeOption { cannotBeCalled() }

    /// There for its message.
    @available(
        *, unavailable,
        message:
            "Data is kept in its row. Leave the option out; for what is large, keep a file's name."
    )
    public static var externalStorage: AttributeOption { cannotBeCalled() }

    /// There for its message.
    @available(*, unavailable, message: "No index outside of the store is kept. Leave it out.")
    public static var spotlight: AttributeOption { cannotBeCalled() }

    /// There for its message.
    @available(*, unavailable, message: "Nothing is sent anywhere. Leave it out.")
    public static var allowsCloudEncryption: AttributeOption { cannotBeCalled() }
}
