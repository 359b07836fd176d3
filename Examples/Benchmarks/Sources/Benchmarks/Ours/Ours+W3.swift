extension Ours {
    /// `findFirst(by:)` for each of the shuffled texts, in a context that is new in each run.
    func lookUps() async throws -> any Contender { throw Failure.notMeasuredYet }

    /// The same, all of them in one read transaction.
    func lookUpBurst() async throws -> any Contender { throw Failure.notMeasuredYet }
}
