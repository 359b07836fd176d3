public import RecordStackModel

// What other libraries call things, so that whoever writes it is told what it is called here. None of it can be used: the
// macros leave it out of what they write, so that it is told once.
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
