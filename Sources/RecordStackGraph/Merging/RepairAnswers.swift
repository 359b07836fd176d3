import RecordStackModel

/// The store's answers to what the repairs before an awaited save have to read.
///
/// The repairs run on the context's thread and ask one question after another. Another thread answers: an attempt ends at
/// the first question without an answer, and the next attempt begins with the answer at hand. What an attempt has repaired
/// stays repaired.
final class RepairAnswers {
    private let context: ManagedObjectContext
    private var answers: [StoreQuestion: StoreAnswer] = [:]
    /// How often the context and its ancestors had taken in what was committed when the first was answered.
    private var drains: Int
    /// How often answers were thrown away because something was merged meanwhile.
    private(set) var restarts = 0

    init(_ context: ManagedObjectContext) {
        self.context = context
        drains = Self.drains(context)
    }

    private static func drains(_ context: ManagedObjectContext) -> Int {
        context.chain.reduce(0) { $0 + $1.merger.drains }
    }

    /// The answer to a question. An answer from before something was merged is none: its rows may be older.
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

/// Ends an attempt.
struct MissingAnswer: Error {
    let question: StoreQuestion
}

extension ManagedObjectContext {
    /// Each merge on the way begins anew; after so many, what is missing is read on the caller's own thread.
    private static let mostRestarts = 200
    /// So many questions come of no merge: what is asked differently each time must not be asked for ever.
    private static let mostAttempts = 10_000

    /// Repairs what merges have left behind, in this context and its ancestors, and has another thread read what
    /// is to be read for it.
    /// - Returns: what is to be held until the changes are captured, so that it is known then.
    func readForRepairElsewhere() async throws -> [ManagedObject] {
        // Else the capture has nothing to read, and this would be its work done twice.
        guard
            chain.contains(where: {
                $0.repair.isNeeded || $0.parentView.followsAncestors
                    || $0.validator.hasUncountedOwners
            })
        else { return [] }
        let repairAnswers = RepairAnswers(self)
        // Without a merge each attempt comes further than the one before.
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

    /// Runs a part of the repairs that reads. It is run again if it throws.
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
