import RecordStackModel

/// Answers the questions of repairs with what another thread has read. The store itself answers all other questions.
final class RepairReader: StoreReader {
    private let repairAnswers: RepairAnswers
    private let store: any PersistentStore
    private var reader: (any StoreReader)?

    init(_ repairAnswers: RepairAnswers, store: any PersistentStore) {
        self.repairAnswers = repairAnswers
        self.store = store
    }

    var statistics: StoreStatistics { reader?.statistics ?? StoreStatistics() }

    func rows(_ request: StoreRequest, into sink: any RowSink) throws {
        try repairAnswers.answer(.rows(request)).give(to: sink)
    }

    func keys(_ request: StoreRequest, into sink: any RowSink) throws {
        try repairAnswers.answer(.keys(request)).give(to: sink)
    }

    func members(_ request: MemberRequest, into sink: any MemberSink) throws {
        try repairAnswers.answer(.members(request)).give(to: sink)
    }

    /// The answers are of different moments anyway. A commit that is taken in between makes the repairs begin anew.
    func beginTransaction() throws {}

    func position() throws -> StorePosition { try own.position() }

    func remoteChanges(since known: StorePosition, author: UInt64) throws -> ChangeSet? {
        try own.remoteChanges(since: known, author: author)
    }

    func end() { reader?.end() }

    // MARK: What the store answers

    private var own: any StoreReader {
        get throws {
            if let reader { return reader }
            let new = try store.reader()
            reader = new
            return new
        }
    }

    func first(entity: Int, slot: Int, value: StoredValue, into sink: any RowSink) throws {
        try own.first(entity: entity, slot: slot, value: value, into: sink)
    }

    func memberCount(_ request: MemberRequest) throws -> Int { try own.memberCount(request) }

    func hasLink(_ pair: LinkPair, in linkage: Int) throws -> Bool {
        try own.hasLink(pair, in: linkage)
    }

    func count(_ request: StoreRequest) throws -> Int { try own.count(request) }

    func exists(_ request: StoreRequest) throws -> Bool { try own.exists(request) }

    func values(_ request: ValueRequest, into take: ([StoredValue]) throws -> Void) throws {
        try own.values(request, into: take)
    }

    func explanation(of request: StoreRequest) throws -> RequestExplanation {
        try own.explanation(of: request)
    }

    func explanation(ofCounting request: StoreRequest) throws -> RequestExplanation {
        try own.explanation(ofCounting: request)
    }

    func explanation(of request: ValueRequest) throws -> RequestExplanation {
        try own.explanation(of: request)
    }
}
