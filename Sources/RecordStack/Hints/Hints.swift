/// The body of what exists for its message alone.
func cannotBeCalled() -> Never {
    // Its callers are unavailable: a program that uses one does not compile.
    fatalError("This cannot be called.")
}
