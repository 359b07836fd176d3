/// The body of what exists for its message alone.
func cannotBeCalled() -> Never {
    // Whoever calls it is unavailable, so that no program that calls that compiles.
    fatalError("This cannot be called.")
}
