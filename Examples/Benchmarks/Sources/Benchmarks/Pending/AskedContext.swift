import RecordStack

/// A context of the main actor with unsaved items.
///
/// Before each question, one of the items moves to another bucket, or back.
@MainActor final class AskedContext {
    /// The context that has the unsaved items.
    enum Owner {
        case context, defaultContext
        /// The parent of the context that answers.
        case parent
    }

    private let context: ManagedObjectContext
    private let items: [Item]
    private let mover: Item?
    private let unsaved: UnsavedItems
    private var buckets: [Int?]
    private var isAway = false
    private let rows: Int
    /// A context that saves a row before each question; nil if there is none.
    private let saver: ManagedObjectContext?

    init(
        _ stack: ContextStack, rows: Int, unsaved: UnsavedItems, in owner: Owner = .context,
        savingBetween isSaving: Bool = false
    ) throws {
        let editor = owner == .defaultContext ? stack.defaultContext : stack.newContext()
        (items, buckets) = try unsaved.make(in: editor, rows: rows)
        context = owner == .parent ? editor.newChild() : editor
        self.unsaved = unsaved
        mover = items.first { $0.number == unsaved.mover?.number }
        self.rows = rows
        saver = isSaving ? stack.newContext() : nil
    }

    /// Returns the time of one question in nanoseconds, without edits and saves between questions.
    func time(_ question: Question, times: Int) throws -> Double {
        let token = try question.token(in: context)
        let sizes = [question.expected(buckets), try turn { question.expected(buckets) }]
            .map { ($0.numbers.count, $0.total) }
        // This call lets the context merge the saves of earlier runs.
        _ = try question.ask(context, from: token)
        let clock = ContinuousClock()
        var duration = Duration.zero
        for round in 1...times {
            try turn {}
            let start = clock.now
            let answer = try question.ask(context, from: token)
            duration += clock.now - start
            if (answer.items.count, answer.total) != sizes[(round + 1) % 2] {
                throw Failure("\(question.name) found \(answer.items.count), \(answer.total)")
            }
        }
        return duration / .nanoseconds(times)
    }

    /// Checks the results before and after an edit.
    func check(_ question: Question) throws {
        for _ in 0..<3 {
            let token = try question.token(in: context)
            let answer = try question.ask(context, from: token)
            let (numbers, total) = question.expected(buckets)
            guard answer.items.map(\.number) == numbers, answer.total == total else {
                throw Failure("\(question.name) with \(unsaved) is wrong")
            }
            try turn {}
        }
    }

    /// Makes an edit, and lets the other context save if there is one.
    private func turn<Value>(_ body: () -> Value) throws -> Value {
        if let place = unsaved.mover, let mover {
            isAway.toggle()
            mover.bucket = isAway ? place.away : place.home
            buckets[place.number] = mover.bucket
        }
        if let saver {
            // The last item has no unsaved changes in any context.
            let code = ItemPlace.code(rows - 1)
            try Item.findFirst(by: \.code, code, in: saver)?.weight += 1
            try saver.saveAndWait()
        }
        return body()
    }
}

/// Asks a context one question repeatedly. The figure is the time of one answer.
final class QuestionRun: Contender {
    let name: String
    private let asked: AskedContext
    private let question: Question
    private let times: Int

    init(_ name: String, _ question: Question, of asked: AskedContext, times: Int) {
        self.name = name
        self.question = question
        self.asked = asked
        self.times = times * question.repetition
    }

    func run() async throws { _ = try await asked.time(question, times: times) }
    func measure() async throws -> Double { try await asked.time(question, times: times) }

    func fingerprint() async throws -> Fingerprint {
        try await asked.check(question)
        return Fingerprint()
    }
}
