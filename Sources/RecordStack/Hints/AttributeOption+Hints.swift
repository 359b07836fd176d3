public import RecordStackModel

// Options of other libraries. Each is unavailable, and its message says what to use instead. The
// macros leave these options out of generated code, so that the compiler reports each of them only
// once.
extension AttributeOption {
    /// Exists only for its error message.
    @available(*, unavailable, renamed: "transient")
    public static var ephemeral: AttributeOption { cannotBeCalled() }

    /// Exists only for its error message.
    @available(
        *, unavailable,
        message:
            "Data is kept in its row. Leave the option out; for what is large, keep a file's name."
    )
    public static var externalStorage: AttributeOption { cannotBeCalled() }

    /// Exists only for its error message.
    @available(*, unavailable, message: "No index outside of the store is kept. Leave it out.")
    public static var spotlight: AttributeOption { cannotBeCalled() }

    /// Exists only for its error message.
    @available(*, unavailable, message: "Nothing is sent anywhere. Leave it out.")
    public static var allowsCloudEncryption: AttributeOption { cannotBeCalled() }
}
