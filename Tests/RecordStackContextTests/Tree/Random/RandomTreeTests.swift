import RecordStack
import TestSupport
import Testing

/// Trees of up to four levels and eight contexts on three actors, compared with a plain model.
@Suite("Random context hierarchies") struct RandomTreeTests {
    private static let length = 40

    @Test(arguments: Seeded.lanes)
    func `every context of a random context hierarchy agrees with a plain model`(lane: Int)
        async throws
    {
        let seed = Seeded.fromEnvironment(lane: lane).seed
        print("seed \(seed)")
        // The sequences need the main actor. In a process for each lane, the lanes share no main
        // thread, and the tests of this process keep theirs.
        let coverage = try CoverageFile()
        await #expect(processExitsWith: .success) {
            [seed = seed as UInt64, path = coverage.path as String] in
            try await Self.run(Seeded(seed: seed)) { try CoverageFile.write($0, to: path) }
        }
        print(coverage.text)
    }

    @MainActor private static func run(
        _ start: Seeded, report: (String) throws -> Void
    ) async throws {
        var seeds = start
        let given = Seeded.givenSequence
        let rounds = given == nil ? Seeded.laneRounds(1_000, full: 20_000) : 1
        var done: [String: Int] = [:]
        var deepest = 0
        for _ in 0..<rounds {
            let seed = given ?? seeds.next()
            var script = try await TreeScript(Seeded(seed: seed))
            do {
                for _ in 0..<length { try await script.step() }
                try await script.checkAll()
            } catch {
                Issue.record(error, "seed \(start.seed), sequence \(seed): \(script.log)")
                return
            }
            done.merge(script.done) { $0 + $1 }
            deepest = max(deepest, script.deepest)
        }
        try report("trees: \(done.sorted { $0.key < $1.key }), \(deepest) levels")
        // The rarest kinds of steps occur ten times only in this many rounds.
        if rounds < 500 { return }
        #expect(deepest == 4)
        for kind in TreeScript.kinds { #expect(done[kind, default: 0] > rounds / 500, "\(kind)") }
    }
}
