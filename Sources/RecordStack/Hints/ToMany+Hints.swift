public import RecordStackGraph

// Names from other libraries. Each is unavailable, and its message gives RecordStack's name.
extension ToMany {
    /// There for its message.
    @available(*, unavailable, renamed: "insert(_:)")
    public func append(_ object: Element) { cannotBeCalled() }

    /// There for its message.
    @available(*, unavailable, renamed: "insert(_:)")
    public func add(_ object: Element) { cannotBeCalled() }
}
