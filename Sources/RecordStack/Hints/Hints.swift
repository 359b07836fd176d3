/// Stops the process: the body of declarations that exist only for their error messages.
func cannotBeCalled() -> Never {
    // Unreachable: all callers are unavailable, so a program that uses one does not compile.
    fatalError("This cannot be called.")
}
