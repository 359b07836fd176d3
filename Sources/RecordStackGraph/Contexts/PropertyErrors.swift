import RecordStackModel

/// The errors that reading properties has met, which no property can throw.
final class PropertyErrors {
    /// Told of every error at once.
    var handler: (@Sendable (RecordStackError) -> Void)?
    /// The first error since the last throwing operation.
    private(set) var pending: RecordStackError?
    // @exclusivity(unchecked): only the context's isolation uses it, one whole value at a time.

    @exclusivity(unchecked) private(set) var isPending = false

    /// Throws what is pending, once.
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

    /// Keeps an error that reading a property met.
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
