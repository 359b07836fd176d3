extension Ours {
    /// Fetches all persons again, in a context that has them all.
    func fetchRegistered() async throws -> any Contender { throw Failure.notMeasuredYet }
}
