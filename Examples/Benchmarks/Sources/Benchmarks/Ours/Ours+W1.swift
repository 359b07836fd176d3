extension Ours {
    /// Fetches all persons into an empty context, then drops both.
    func fetchIntoEmptyContext() async throws -> any Contender { throw Failure.notMeasuredYet }
}
