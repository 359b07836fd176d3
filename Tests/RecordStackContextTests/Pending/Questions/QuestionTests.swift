import RecordStack
import TestSupport
import Testing

/// Compares every read verb with a plain model between random steps. The requests run in a context,
/// its child and its grandchild.
///
/// The steps are edits, pushes, rollbacks, resets, refreshes, commits of other contexts and stacks,
/// and saves that are running, not yet merged, failed or in doubt.
@Suite("Random requests") struct QuestionTests {
    private static let length = 30

    @Test(arguments: Seeded.lanes)
    func `every read call agrees with a plain model after random edits and saves`(lane: Int)
        async throws
    {
        let seed = Seeded.fromEnvironment(lane: lane).seed
        print("seed \(seed)")
        // See RandomTreeTests.
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
        let given = Seeded.givenSequence
        let rounds = given == nil ? Seeded.laneRounds(1_000, full: 20_000) : 1
        var seeds = start
        var coverage = QuestionCoverage()
        var failures = 0
        for _ in 0..<rounds where failures < 3 {
            let seed = given ?? seeds.next()
            var random = Seeded(seed: seed)
            let isFollowing = random.chance(50)
            let steps = (0..<length).map { QuestionStep.random(&random, place: $0) }
            guard let failure = await Self.failure(of: steps, isFollowing, &coverage) else {
                continue
            }
            failures += 1
            let short = await shrunk(steps, isFollowing)
            var last = QuestionCoverage()
            Issue.record(
                """
                seed \(start.seed), sequence \(seed): \(failure)
                \(short.count) steps are enough: \(short.map(\.description).joined(separator: " "))
                \(await Self.failure(of: short, isFollowing, &last) ?? "")
                """)
        }
        let counts = coverage.counts.sorted { $0.key < $1.key }
        try report(counts.map { "\($0.key): \($0.value)" }.joined(separator: "\n"))
        if rounds >= 100 && failures == 0 { check(coverage, rounds: rounds) }
    }

    @MainActor private static func check(_ coverage: QuestionCoverage, rounds: Int) {
        for kind in QuestionStep.Kind.allCases {
            #expect(coverage.counts["step \(kind)", default: 0] > rounds / 20, "\(kind)")
        }
        for state in ["under way", "unheard", "failed", "in doubt"] {
            #expect(coverage.counts["state \(state)", default: 0] > rounds / 25, "\(state)")
        }
        for way in [
            "index", "conjunction", "memo", "evaluation", "function", "subtraction", "declining",
            "loading", "further request",
        ] {
            #expect(coverage.counts["way \(way)", default: 0] > rounds / 20, "\(way)")
        }
        for verb in Verb.allCases {
            for state in ["clean", "changed", "under way", "unheard", "in doubt"] {
                let count = coverage.counts["verb \(verb) \(state)", default: 0]
                #expect(count > rounds / 100, "\(verb) \(state)")
            }
        }
    }

    @MainActor private static func failure(
        of steps: [QuestionStep], _ isFollowing: Bool, _ coverage: inout QuestionCoverage
    ) async -> String? {
        do {
            let script = try QuestionScript(isFollowing: isFollowing)
            var failure: String?
            do { try await script.run(steps) } catch {
                failure = "\(error)\n\(script.log.joined(separator: "; "))"
            }
            coverage.add(script.coverage)
            try script.close()
            return failure
        } catch {
            return "\(error)"
        }
    }

    /// Removes steps while the sequence still fails: first many at a time, then one at a time.
    @MainActor private static func shrunk(
        _ steps: [QuestionStep], _ isFollowing: Bool
    ) async -> [QuestionStep] {
        var steps = steps
        var width = steps.count / 2
        while width > 0 {
            var start = 0
            while start < steps.count {
                var fewer = steps
                fewer.removeSubrange(start..<min(start + width, steps.count))
                var ignored = QuestionCoverage()
                if await failure(of: fewer, isFollowing, &ignored) == nil {
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
