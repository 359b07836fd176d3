public import RecordStackGraph

// Names from other libraries. Each is unavailable, and its message gives the name in RecordStack.
extension ToMany {
    /// Exists only for its error message.
    @available(*, unavailable, renamed: "insert(_:)")
    public func append(_ object: Element) { cannotBeCalled() }

    /// Exists only for its error message.
    @available(*, unavailable, renamed: "insert(_:)")
    public func add(_ object: Element) { cannotBeCalled() }
}
