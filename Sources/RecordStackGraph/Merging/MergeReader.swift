import RecordStackModel
import Synchronization

/// Reads what merges need before an operation may look at a context.
///
/// The program has not asked for it, and the disk is none of the main thread's business: there another thread reads, with
/// the operation's reader if one is lent, and the main thread, which could not go on without it, waits. Without a lent reader
/// it takes one of its own; what that one finds may be newer than what the operation goes on to read, never older.
final class MergeReader: StoreReader {
    private let store: any PersistentStore
    /// The reader of the operation that is under way, or one that was taken from the store.
    private var reader: (any StoreReader)?
    private let isLent: Bool
    /// What the reader had done before.
    private var before = StoreStatistics()
    /// What others have done.
    private var done = StoreStatistics()
    private let isElsewhere: Bool
    private var isInTransaction = false

    /// - Parameter reader: that of the operation, which is used where it may be. Without one, a reader is taken from the
    ///   store for the first question.
    init(of store: any PersistentStore, lending reader: (any StoreReader)? = nil) {
        self.store = store
        self.reader = reader
        isLent = reader != nil
        isElsewhere = store.readsFromDisk && CurrentIsolation.isKnownToBeMain
    }

    /// What was done without the lent reader.
    var statistics: StoreStatistics {
        guard !isLent, let reader else { return done }
        return done + (reader.statistics - before)
    }

    /// The transaction begins with the next question. Without a lent reader, another thread's answers are of one moment each.
    func beginTransaction() throws { isInTransaction = true }

    func end() {
        if !isLent { reader?.end() }
    }

    /// Has a question answered, by another thread if this is the main one.
    func ask<Answer: Sendable>(
        _ question: @escaping @Sendable (any StoreReader) throws -> Answer
    ) throws -> Answer {
        guard isElsewhere else { return try question(ready()) }
        let box = AnswerBox<Answer>()
        let store = store
        // The waiting thread does not use the reader until the other one is done with it.
        nonisolated(unsafe) let lent = isLent ? try ready() : nil
        BlockingHop.run {
            let answer = Result {
                let reader = try lent ?? store.reader()
                let before = reader.statistics
                defer { if lent == nil { reader.end() } }
                let answer = try question(reader)
                // The operation counts what its own reader does.
                let done = lent == nil ? reader.statistics - before : StoreStatistics()
                return (answer, done)
            }
            box.answer.withLock { $0 = answer }
        }
        guard let result = box.answer.withLock({ $0 }) else { throw RecordStackError.closedStack }
        let (answer, done) = try result.get()
        self.done = self.done + done
        return answer
    }

    private func ready() throws -> any StoreReader {
        let reader = try self.reader ?? take()
        if isInTransaction { try reader.beginTransaction() }
        isInTransaction = false
        return reader
    }

    private func take() throws -> any StoreReader {
        let new = try store.reader()
        before = new.statistics
        reader = new
        return new
    }

    // MARK: What merges ask for

    func rows(_ request: StoreRequest, into sink: any RowSink) throws {
        guard isElsewhere else { return try ready().rows(request, into: sink) }
        try ask { try StoreAnswer(.rows(request), from: $0) }.give(to: sink)
    }

    func keys(_ request: StoreRequest, into sink: any RowSink) throws {
        guard isElsewhere else { return try ready().keys(request, into: sink) }
        try ask { try StoreAnswer(.keys(request), from: $0) }.give(to: sink)
    }

    func members(_ request: MemberRequest, into sink: any MemberSink) throws {
        guard isElsewhere else { return try ready().members(request, into: sink) }
        try ask { try StoreAnswer(.members(request), from: $0) }.give(to: sink)
    }

    func memberCount(_ request: MemberRequest) throws -> Int {
        try ask { try $0.memberCount(request) }
    }

    func hasLink(_ pair: LinkPair, in linkage: Int) throws -> Bool {
        try ask { try $0.hasLink(pair, in: linkage) }
    }

    func count(_ request: StoreRequest) throws -> Int { try ask { try $0.count(request) } }

    func exists(_ request: StoreRequest) throws -> Bool { try ask { try $0.exists(request) } }

    // MARK: What none asks for

    func position() throws -> StorePosition { try ready().position() }

    func remoteChanges(since known: StorePosition, author: UInt64) throws -> ChangeSet? {
        try ready().remoteChanges(since: known, author: author)
    }

    func first(entity: Int, slot: Int, value: StoredValue, into sink: any RowSink) throws {
        try ready().first(entity: entity, slot: slot, value: value, into: sink)
    }

    func values(_ request: ValueRequest, into take: ([StoredValue]) throws -> Void) throws {
        try ready().values(request, into: take)
    }

    func explanation(of request: StoreRequest) throws -> RequestExplanation {
        try ready().explanation(of: request)
    }

    func explanation(ofCounting request: StoreRequest) throws -> RequestExplanation {
        try ready().explanation(ofCounting: request)
    }

    func explanation(of request: ValueRequest) throws -> RequestExplanation {
        try ready().explanation(of: request)
    }
}

private final class AnswerBox<Answer: Sendable>: Sendable {
    let answer = Mutex<Result<(Answer, StoreStatistics), any Error>?>(nil)
}
