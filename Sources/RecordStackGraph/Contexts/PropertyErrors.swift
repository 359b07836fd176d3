import RecordStackModel

/// The errors of property reads, which cannot throw.
final class PropertyErrors {
    /// The closure that receives every error immediately.
    var handler: (@Sendable (RecordStackError) -> Void)?
    /// The first error since the last throwing operation.
    private(set) var pending: RecordStackError?
    // @exclusivity(unchecked): only the context's isolation uses it, one whole value at a time.

    @exclusivity(unchecked) private(set) var isPending = false

    /// Throws the pending error and forgets it.
    @inline(__always)
    func throwPending() throws {
        if isPending { try takePending() }
    }

    private func takePending() throws {
        defer { forgetPending() }
        if let pending { throw pending }
    }

    func forgetPending() {
        isPending = false
        pending = nil
    }

    /// Keeps the error of a property read, and passes it to the handler.
    func report(_ error: any Error) {
        let known =
            error as? RecordStackError
            ?? RecordStackError(.store, "An object could not be loaded.", cause: error)
        if !isPending {
            isPending = true
            pending = known
        }
        if let handler { BlockingHop.run { handler(known) } }
    }
}
