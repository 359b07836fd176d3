import RecordStack
import TestSupport

extension QuestionScript {
    func foreignCommit(_ kind: QuestionStep.Kind, _ random: inout Seeded) async throws {
        let taboo = changes(upTo: Self.levels - 1)
        if isDoubtful { return }
        let edits = (0..<2).map { _ in
            QuestionStep(
                kind: Self.foreignEdits[random.below(Self.foreignEdits.count)], seed: random.next())
        }
        var result: (museum: PlainMuseum, touched: Set<Touched>, next: Int, log: String)
        switch kind {
        case .foreignSave:
            foreign.reset()
            result = try Self.edit(edits, foreign, stored, taboo, nextNumber)
            try await awaiting { try await foreign.save() }
        case .foreignBlock:
            let (museum, number) = (stored, nextNumber)
            result = try await awaiting {
                try await stack.saveWithBlock { context in
                    try Self.edit(edits, context, museum, taboo, number)
                }
            }
        case .foreignStack:
            let before = stack.defaultContext.statistics.remoteMerges
            let (museum, number) = (stored, nextNumber)
            result = try await second.saveWithBlock { context in
                try Self.edit(edits, context, museum, taboo, number)
            }
            // Edits that change no value save nothing.
            if result.museum != stored { try await hearOthers(after: before) }
        default: return try await foreignUpdate(taboo, &random)
        }
        nextNumber = result.next
        log.append("foreign: \(result.log)")
        takeIn(result.museum, result.touched)
    }

    static let foreignEdits: [QuestionStep.Kind] = [
        .create, .edit, .edit, .edit, .relate, .place, .mark, .delete, .editWing, .editTheme,
        .deleteWing, .createWing, .copy, .upsert,
    ]

    nonisolated private static func edit(
        _ steps: [QuestionStep], _ context: ManagedObjectContext, _ museum: PlainMuseum,
        _ taboo: Set<Touched>, _ number: Int
    ) throws -> (museum: PlainMuseum, touched: Set<Touched>, next: Int, log: String) {
        var result = (museum: museum, touched: Set<Touched>(), next: number, log: "")
        for step in steps {
            var editor = MuseumEditor(
                context, result.museum, taboo: taboo, random: Seeded(seed: step.seed),
                nextNumber: result.next)
            try editor.apply(step.kind)
            result.museum = editor.museum
            result.touched.formUnion(editor.touched)
            result.next = editor.nextNumber
            result.log += editor.log
        }
        return result
    }

    func foreignUpdate(_ taboo: Set<Touched>, _ random: inout Seeded) async throws {
        let free = stored.pieces.keys.filter { !taboo.contains(.exhibit($0)) }.sorted()
        let numbers = free.filter { _ in random.chance(40) }
        if numbers.isEmpty { return }
        let shelf = Pool.shelf(&random)
        try await stack.update(
            Exhibit.where {
                $0.number.isIn(numbers)
            }
        ) { $0.shelf.set(to: shelf) }
        var museum = stored
        for number in numbers { museum.pieces[number]!.shelf = shelf }
        log.append("foreign: \(numbers).shelf = \(shelf)")
        takeIn(museum, Set(numbers.map { .exhibit($0) }))
    }

    func takeIn(_ museum: PlainMuseum, _ changed: Set<Touched>) {
        stored = museum
        for level in 0..<Self.levels { shown[level].take(changed, from: museum) }
    }

    func hearOthers(after merges: Int) async throws {
        stack.coordinator.lookForRemoteSaves()
        stack.coordinator.waitForCheckpoint()
        for _ in 0..<5_000 {
            if stack.defaultContext.statistics.remoteMerges > merges { return }
            try await Task.sleep(for: .milliseconds(1))
        }
        throw QuestionFailure(description: "the other stack's save was never heard of")
    }
}
