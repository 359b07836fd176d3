public import RecordStackGraph

// What other libraries call things, so that whoever writes it is told what it is called here. None of it can be called.
extension ToMany {
    /// There for its message.
    @available(*, unavailable, renamed: "insert(_:)")
    public func append(_ object: Element) { cannotBeCalled() }

    /// There for its message.
    @available(*, unavailable, renamed: "insert(_:)")
    public func add(_ object: Element) { cannotBeCalled() }
}
