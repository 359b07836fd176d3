import RecordStack
import RecordStackTesting
import TestSupport
import Testing

/// Random work in the default context while a save block is held before its save or in it. The rule
/// is that nobody overwrites a value without having seen it.
@MainActor @Suite("Random work during held blocks") struct RandomHeldBlockTests {
    @Test func `a nested stack's contexts overwrite no value that they have not seen`() async throws
    {
        var random = Seeded.fromEnvironment()
        let rounds = Seeded.rounds(25, full: 1_000)
        var done: [String: Int] = [:]
        // A conflict is rare and may be missing by chance, so the test continues until one has
        // occurred.
        for round in 0..<rounds * 20
        where round < rounds || !HeldScript.kinds.allSatisfy({ done[$0] != nil }) {
            let script = try await HeldScript(
                random, round.isMultiple(of: 2) ? .nested : .parentChild)
            do {
                for _ in 0..<30 { try await script.step() }
            } catch {
                Issue.record(error, "seed \(random.seed), round \(round): \(script.log.suffix(40))")
                return
            }
            random = script.random
            done.merge(script.done) { $0 + $1 }
        }
        print("held blocks, seed \(random.seed): \(done.sorted { $0.key < $1.key })")
        for kind in HeldScript.kinds { #expect(done[kind, default: 0] > 0, "\(kind)") }
    }
}
