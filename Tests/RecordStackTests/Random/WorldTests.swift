import TestSupport
import Testing

/// Random work in a context and its child, in a store that is reopened, compared with a plain model
/// after each step: the whole graph, both sides of each relationship, and the store.
@Suite("Random relationship graphs") struct WorldTests {
    private static let length = 40

    @Test(arguments: Seeded.lanes)
    func `random edits of relationships match a simple reference implementation`(lane: Int) {
        let start = Seeded.fromEnvironment(lane: lane)
        print("seed \(start.seed)")
        let rounds = Seeded.laneRounds(1_000, full: 20_000)
        var seeds = start
        var coverage = WorldCoverage()
        var failures = 0
        for _ in 0..<rounds where failures < 3 {
            let seed = seeds.next()
            var random = Seeded(seed: seed)
            let steps = (0..<Self.length).map { WorldStep.random(&random, place: $0) }
            guard let failure = Self.failure(of: steps, &coverage) else { continue }
            failures += 1
            let short = Self.shrunk(steps)
            Issue.record(
                """
                seed \(start.seed), sequence \(seed): \(failure)
                \(short.count) steps are enough: \(short.map(\.description).joined(separator: " "))
                \(Self.failure(of: short)?.description ?? "")
                """)
        }
        print("steps: \(coverage.steps.sorted { $0.key < $1.key })")
        print("outcomes: \(coverage.outcomes.sorted { $0.key < $1.key })")
        if rounds >= 100 && failures == 0 { check(coverage, rounds: rounds) }
    }

    private func check(_ coverage: WorldCoverage, rounds: Int) {
        for kind in WorldStep.Kind.allCases {
            #expect(coverage.steps[kind.rawValue, default: 0] > rounds / 10, "\(kind)")
        }
        let outcomes = coverage.outcomes
        let saves = ["saved", "nothing to save", "refused"].reduce(0) {
            $0 + outcomes[$1, default: 0]
        }
        #expect(outcomes["refused", default: 0] * 100 >= saves, "one save in a hundred fails")
        #expect(outcomes["saved", default: 0] > rounds)
        #expect(outcomes["denied", default: 0] > rounds / 100)
        #expect(outcomes["cascaded", default: 0] > rounds / 50)
    }

    private static func failure(of steps: [WorldStep]) -> WorldFailure? {
        var coverage = WorldCoverage()
        return failure(of: steps, &coverage)
    }

    private static func failure(
        of steps: [WorldStep], _ coverage: inout WorldCoverage
    ) -> WorldFailure? {
        do {
            let run = try WorldRun()
            defer { coverage.add(run.coverage) }
            try run.run(steps)
            return nil
        } catch {
            return error as? WorldFailure ?? WorldFailure(description: "\(error)")
        }
    }

    /// Returns a shorter sequence that fails as well. It leaves out many steps at a time first,
    /// then single steps.
    private static func shrunk(_ steps: [WorldStep]) -> [WorldStep] {
        var steps = steps
        var width = steps.count / 2
        while width > 0 {
            var start = 0
            while start < steps.count {
                var fewer = steps
                fewer.removeSubrange(start..<min(start + width, steps.count))
                if failure(of: fewer) == nil {
                    start += width
                } else {
                    steps = fewer
                }
            }
            width /= 2
        }
        return steps
    }
}
