extension Ours {
    /// Inserts all persons in one `saveWithBlock`, down to the disk.
    func insert() async throws -> any Contender { throw Failure.notMeasuredYet }
}
