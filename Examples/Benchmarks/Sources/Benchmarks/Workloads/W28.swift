import RecordStack

struct W28: Workload {
    let id = "W28"

    func what(_ scale: Scale) -> String {
        let most = Scale.short(scale.changed)
        return "ask by an indexed filter with 10 to \(most) unsaved objects, one edit before each"
    }

    func unit(_ scale: Scale) -> Unit { .microseconds(each: 1) }

    var remark: String? {
        "A gate is 1.5 × the clean context and 70 ns for each unsaved row before the window; for each row of the "
            + "index where something is counted. Its line shows both as one ratio."
    }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let questions = try Questions(lab)
        return try await questions.plain() + questions.behind() + questions.withSaves()
            + questions.nested() + questions.inChild()
    }

    // RecordStack is compared with itself, in a clean context.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }

    func expected(_ lab: Lab) -> Fingerprint { Fingerprint() }
}

/// The comparisons of W28: each question to a context with unsaved items and to a clean one.
private struct Questions {
    /// The allowance for each row that SQLite reads and leaves out, in nanoseconds.
    private static let leavingOut = 70.0
    private static let some: [Question] = [.first, .find, .count]

    private let lab: Lab
    private let stack: ContextStack
    private let rows: Int
    private let times: Int

    init(_ lab: Lab) throws {
        self.lab = lab
        rows = lab.scale.persons
        times = lab.scale.questions
        stack = try Self.stack(lab, "asked")
    }

    private static func stack(
        _ lab: Lab, _ name: String, under architecture: StackArchitecture = .savingRoot
    ) throws -> ContextStack {
        let source = try lab.itemFile(lab.scale.persons, bucketSize: Question.bucketSize)
        return try ItemPlace(lab, name, copying: source, under: architecture).stack
    }

    /// Returns all questions with a medium number of unsaved items, some with few or many.
    func plain() async throws -> [Comparison] {
        let clean = try await AskedContext(stack, rows: rows, unsaved: .none)
        let most = lab.scale.changed
        var all: [Comparison] = []
        for count in [most / 10, 10, most] {
            let asked = try await AskedContext(stack, rows: rows, unsaved: .spread(count))
            let kinds = Question.allCases.filter { kind in
                kind != .firstBehind
                    && (count == most / 10 || (Self.some + [.toOne]).contains(kind))
            }
            all += kinds.map {
                compare($0, asked, clean, unsaved: .spread(count), Scale.short(count))
            }
        }
        return all
    }

    /// Returns the questions for the first object of a range that all objects before it have left.
    func behind() async throws -> [Comparison] {
        let clean = try await AskedContext(stack, rows: rows, unsaved: .none)
        var all: [Comparison] = []
        for count in [lab.scale.changed / 10, lab.scale.changed] {
            let asked = try await AskedContext(stack, rows: rows, unsaved: .front(count))
            all.append(
                compare(.firstBehind, asked, clean, unsaved: .front(count), Scale.short(count)))
        }
        return all
    }

    /// Returns some questions, with a save of another context before each.
    func withSaves() async throws -> [Comparison] {
        let stack = try Self.stack(lab, "saving")
        let unsaved = UnsavedItems.spread(lab.scale.changed / 10)
        let clean = try await AskedContext(stack, rows: rows, unsaved: .none, savingBetween: true)
        let asked = try await AskedContext(
            stack, rows: rows, unsaved: unsaved, savingBetween: true)
        return Self.some.map { compare($0, asked, clean, unsaved: unsaved, "saves") }
    }

    /// Returns some questions to a default context that publishes its changes to save blocks.
    func nested() async throws -> [Comparison] {
        let unsaved = UnsavedItems.spread(lab.scale.changed / 10)
        let clean = try await AskedContext(
            Self.stack(lab, "nested-clean", under: .nested), rows: rows, unsaved: .none,
            in: .defaultContext)
        let asked = try await AskedContext(
            Self.stack(lab, "nested", under: .nested), rows: rows, unsaved: unsaved,
            in: .defaultContext)
        return Self.some.map { compare($0, asked, clean, unsaved: unsaved, "nested") }
    }

    /// Returns some questions to a child of the context with the unsaved items.
    func inChild() async throws -> [Comparison] {
        let unsaved = UnsavedItems.spread(lab.scale.changed / 10)
        let clean = try await AskedContext(stack, rows: rows, unsaved: .none)
        let asked = try await AskedContext(stack, rows: rows, unsaved: unsaved, in: .parent)
        return Self.some.map {
            compare($0, asked, clean, unsaved: unsaved, "child", gate: 2)
        }
    }

    private func compare(
        _ question: Question, _ asked: AskedContext, _ clean: AskedContext, unsaved: UnsavedItems,
        _ condition: String, gate: Double = 1.5
    ) -> Comparison {
        let name = "\(question.name), \(condition)"
        let lookedAt = question.rowsLeftOut(unsaved, of: rows)
        return Comparison(
            QuestionRun(name, question, of: asked, times: times),
            against: QuestionRun("clean: \(name)", question, of: clean, times: times), label: name,
            gate: gate, moonshot: 1.1,
            allowing: Allowance(gate: Double(lookedAt) * Self.leavingOut))
    }
}

extension Question {
    /// Returns the number of rows with an allowance.
    ///
    /// These are the unsaved rows before the window, and all rows that the index yields to a count.
    fileprivate func rowsLeftOut(_ unsaved: UnsavedItems, of rows: Int) -> Int {
        switch self {
        case .first, .find, .pageByKey, .toOne: 0
        case .count: Question.bucketSize
        case .countAll: rows
        case .page: Question.bucketSize + unsaved.count(before: Question.skipped)
        case .firstBehind: unsaved.count
        }
    }
}
