import RecordStackModel

/// The store's answers to the queries of the repairs before an awaited save.
///
/// The repairs run on the context's thread, one query after another. Another thread runs the
/// queries. An attempt ends at the first query without an answer, and the next attempt begins when
/// that answer is there. Repairs that an attempt has made stay.
final class RepairAnswers {
    private let context: ManagedObjectContext
    private var answers: [StoreQuestion: StoreAnswer] = [:]
    /// The number of merges of the context and its ancestors when the first query was answered.
    private var drains: Int
    /// The number of times that a merge has made the answers invalid.
    private(set) var restarts = 0

    init(_ context: ManagedObjectContext) {
        self.context = context
        drains = Self.drains(context)
    }

    private static func drains(_ context: ManagedObjectContext) -> Int {
        context.chain.reduce(0) { $0 + $1.merger.drains }
    }

    /// Returns the answer to a query.
    ///
    /// A merge makes all earlier answers invalid, because their rows may be older.
    ///
    /// - Throws: ``MissingAnswer`` if there is no valid answer.
    func answer(_ question: StoreQuestion) throws -> StoreAnswer {
        let now = Self.drains(context)
        if now != drains {
            drains = now
            if !answers.isEmpty { restarts += 1 }
            answers = [:]
        }
        guard let answer = answers[question] else { throw MissingAnswer(question: question) }
        return answer
    }

    func keep(_ answer: StoreAnswer, to question: StoreQuestion) { answers[question] = answer }
}

/// Ends an attempt, because a query has no answer.
struct MissingAnswer: Error {
    let question: StoreQuestion
}

extension ManagedObjectContext {
    /// The most restarts after merges. After that, the save reads the rest on its own thread.
    private static let mostRestarts = 200
    /// The most attempts, so that queries that differ each time cannot go on for ever.
    private static let mostAttempts = 10_000

    /// Repairs this context and its ancestors, while another thread reads what the repairs need.
    ///
    /// - Returns: objects that the caller must hold until the changes are captured, so that they
    ///   stay registered.
    func readForRepairElsewhere() async throws -> [ManagedObject] {
        // Otherwise the capture has nothing to read, and this call would do the same work twice.
        guard
            chain.contains(where: {
                $0.repair.isNeeded || $0.parentView.followsAncestors
                    || $0.validator.hasUncountedOwners
            })
        else { return [] }
        let repairAnswers = RepairAnswers(self)
        // Without a merge, each attempt gets further than the one before.
        for _ in 0..<Self.mostAttempts where repairAnswers.restarts < Self.mostRestarts {
            do {
                tree.repairAnswers = repairAnswers
                defer { tree.repairAnswers = nil }
                return try upToDate { try chain.flatMap { try $0.validator.loadCountedMembers() } }
            } catch let missing as MissingAnswer {
                let (answer, done) = try await coordinator.answer(missing.question)
                monitor.counters.add(done)
                repairAnswers.keep(answer, to: missing.question)
            }
        }
        return []
    }

    /// Runs a part of the repairs that reads. A later attempt runs it again if it throws.
    func repairing<Result>(_ body: () throws -> Result) throws -> Result {
        guard let repairAnswers = tree.repairAnswers else { return try body() }
        let before = activeReader
        let reader = RepairReader(repairAnswers, store: coordinator.store)
        activeReader = reader
        defer {
            activeReader = before
            monitor.counters.add(reader.statistics)
            reader.end()
        }
        return try body()
    }
}

extension PersistentStoreCoordinator {
    fileprivate func answer(
        _ question: StoreQuestion
    ) async throws -> (StoreAnswer, StoreStatistics) {
        try await readingElsewhere { try StoreAnswer(question, from: $0) }
    }
}
