import RecordStack
import TestSupport

extension QuestionScript {
    func ask(_ random: inout Seeded) throws {
        let place = random.below(10)
        if place == 0 { return try ask(&random, stack.newContext(), stored, "fresh") }
        if place == 1 { return try ask(&random, follower, stored, "follower") }
        let level = Self.level(&random)
        let state = isDoubtful ? "in doubt" : touched[level].isEmpty ? "clean" : "changed"
        try ask(&random, at: level, state)
    }

    func ask(_ random: inout Seeded, at level: Int, _ state: String) throws {
        try ask(&random, contexts[level], shown[level], "\(state) \(level)")
    }

    func ask(
        _ random: inout Seeded, _ context: ManagedObjectContext, _ museum: PlainMuseum,
        _ state: String
    ) throws {
        let verb = Verb.allCases[random.below(Verb.allCases.count)]
        // Only sometimes, because fetching the wings is an operation, too.
        let wings = random.chance(30) ? try Wing.find(in: context) : []
        let halls = Dictionary(uniqueKeysWithValues: wings.map { ($0.number, $0.objectID) })
        let asked = Verb.Asked(
            question: .random(&random), choice: random.below(1_000), halls: halls)
        coverage.note("verb \(verb) \(state.dropLast(state.last!.isNumber ? 2 : 0))")
        let (answer, right) = (
            try verb.answer(asked, in: context), verb.answer(asked, of: museum)
        )
        if answer == right {
            if random.chance(8) { try noteWays(of: asked, in: context) }
            return
        }
        throw QuestionFailure(
            description: "\(state): \(verb)(\(asked.choice)) \(asked.question): "
                + "\(answer) instead of \(right)")
    }

    /// Records how the context answers a request.
    private func noteWays(of asked: Verb.Asked, in context: ManagedObjectContext) throws {
        let request = asked.question.request(Exhibit.self, asked.halls)
        let explanations = [
            try context.explain(request), try context.explain(countOf: request),
        ]
        for pending in explanations.compactMap(\.pending) {
            switch pending.matching {
            case .index where pending.evaluated > 0: coverage.note("way conjunction")
            case .index: coverage.note("way index")
            case .memo: coverage.note("way memo")
            case .evaluation: coverage.note("way evaluation")
            case nil: break
            }
            if let omission = pending.omission { coverage.note("way \(omission)") }
            if pending.loaded > 0 { coverage.note("way loading") }
            if !pending.furtherSQL.isEmpty { coverage.note("way further request") }
        }
    }

    func checkAll() throws {
        for (level, context) in contexts.enumerated() {
            try check(context, shown[level])
        }
        try check(follower, stored)
    }

    func check(_ context: ManagedObjectContext, _ museum: PlainMuseum) throws {
        let read = try PlainMuseum(reading: context)
        if read == museum { return }
        throw QuestionFailure(
            description: "\(context.name) shows \(read.differences(from: museum))")
    }
}
