import RecordStackModel

/// Answers the queries of repairs with the rows that another thread has read.
///
/// All other queries go to the store.
final class RepairReader: ForwardingReader {
    private let repairAnswers: RepairAnswers
    private let reader: ReaderOnDemand

    init(_ repairAnswers: RepairAnswers, store: any PersistentStore) {
        self.repairAnswers = repairAnswers
        reader = ReaderOnDemand(of: store)
    }

    var statistics: StoreStatistics { reader.statistics }

    func reader(of entity: Int?) throws -> any StoreReader { reader }

    /// Does nothing, because the answers are from different moments anyway.
    ///
    /// If a commit is merged in between, the repairs begin anew.
    func beginTransaction() throws {}

    func rows(_ request: StoreRequest, into sink: any RowSink) throws {
        try repairAnswers.answer(.rows(request)).give(to: sink)
    }

    func keys(_ request: StoreRequest, into sink: any RowSink) throws {
        try repairAnswers.answer(.keys(request)).give(to: sink)
    }

    func members(_ request: MemberRequest, into sink: any MemberSink) throws {
        try repairAnswers.answer(.members(request)).give(to: sink)
    }

    func end() { reader.end() }
}
