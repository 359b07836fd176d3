import Foundation
import RecordStack
import RecordStackTesting
import TestSupport

extension QuestionScript {
    func changes(upTo level: Int) -> Set<Touched> {
        touched[...level].reduce(into: []) { $0.formUnion($1) }
    }

    func save(_ level: Int, waits: Bool) async throws {
        if waits {
            try waitedSave(contexts[level])
        } else {
            try await awaiting { try await contexts[level].save() }
        }
        finish(level, shown[level])
        for context in 0...level { (touched[context], edited[context]) = ([], []) }
        if contexts[level].hasChanges {
            throw QuestionFailure(description: "changes are left after a save")
        }
    }

    /// Runs a body, and fails if any of its statements ran on the main thread.
    @discardableResult
    func awaiting<Value>(_ body: @MainActor () async throws -> Value) async throws -> Value {
        let ran = try await threads.during(body)
        if ran.onMain.isEmpty { return ran.value }
        throw QuestionFailure(description: "on the main thread ran: \(ran.onMain)")
    }

    /// Saves and blocks the main thread, as the test intends.
    func waitedSave(_ context: ManagedObjectContext) throws { try context.saveAndWait() }

    func finish(_ level: Int, _ museum: PlainMuseum) {
        stored = museum
        for above in 0..<level { shown[above] = shown[level] }
        isDoubtful = false
    }

    /// Makes requests and edits while a save is held before its COMMIT, and after the COMMIT before
    /// the context has merged it.
    func heldSave(_ level: Int, _ random: inout Seeded) async throws {
        let changed = changes(upTo: level)
        guard writesSomething(level), !isDoubtful else { return }
        let captured = shown[level]
        gate.close(at: "COMMIT")
        let context = contexts[level]
        let save = Task { try await context.save() }
        await gate.waitUntilHeld()
        underWay = (captured, level, changed)
        for above in 0...level { (touched[above], edited[above]) = ([], []) }
        coverage.note("state under way")
        hasEditedUnderWay = true
        // Creating an object can need new keys, for which the writer must be free.
        let opener = GateOpener(gate)
        opener.open(after: .milliseconds(30))
        try editAndAsk(level, &random, "under way")
        opener.open()
        // The save reports its end to the main actor, which this function occupies.
        usleep(2_000)
        if try Exhibit.count(in: stack.newContext()) == captured.pieces.count {
            coverage.note("state unheard")
        }
        try editAndAsk(level, &random, "unheard")
        underWay = nil
        _ = try await save.value
        stored = captured
        for above in 0..<level { shown[above] = captured }
    }

    /// Works in the saving context and below it. The levels above may or may not have merged the
    /// save.
    func editAndAsk(_ level: Int, _ random: inout Seeded, _ state: String) throws {
        for _ in 0..<3 {
            let place = level + random.below(Self.levels - level)
            let kind = QuestionStep.Kind.edits[random.below(QuestionStep.Kind.edits.count)]
            if random.chance(60) { try edit(kind, place, Seeded(seed: random.next())) }
            try ask(&random, at: level + random.below(Self.levels - level), state)
        }
    }

    /// Edits can cancel each other: a child can delete what its parent has created.
    private func writesSomething(_ level: Int) -> Bool {
        contexts[level].hasChanges && shown[level] != stored
    }

    func failingSave(_ level: Int, isWritten: Bool) async throws {
        guard writesSomething(level), !isDoubtful else { return }
        disk.arm(
            isWritten ? Fault(call: .committed, number: 1) : Fault(call: .lastWrite, number: 1))
        defer { disk.mend() }
        do {
            try await contexts[level].save()
            throw QuestionFailure(description: "a save on a broken disk succeeded")
        } catch let error as RecordStackError {
            log.append("\(level): \(error.code)")
        }
        coverage.note(isWritten ? "state in doubt" : "state failed")
        isDoubtful = true
        if !isWritten { return }
        hasEditedUnderWay = true
        stored = shown[level]
    }
}
