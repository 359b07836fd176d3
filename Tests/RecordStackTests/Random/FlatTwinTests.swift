import RecordStack
import TestSupport
import Testing

/// Requests over pending objects in a child of a child, compared with stored objects.
@Suite("Requests in nested children") struct FlatTwinTests {
    private static let length = 40

    @Test(arguments: Seeded.lanes)
    func `a grandchild's requests equal those of a store with everything saved`(
        lane: Int
    ) throws {
        let start = Seeded.fromEnvironment(lane: lane)
        print("seed \(start.seed)")
        let rounds = Seeded.laneRounds(1_000, full: 20_000)
        var seeds = start
        var coverage: [String: Int] = [:]
        for _ in 0..<rounds {
            let seed = seeds.next()
            let twin = try FlatTwin(Seeded(seed: seed))
            for step in 0..<Self.length {
                let comment: Comment = "seed \(start.seed), sequence \(seed), step \(step)"
                do {
                    try twin.change()
                    if step % 3 == 2 { try twin.ask(comment) }
                } catch {
                    Issue.record(error, "\(comment): \(twin.story.joined(separator: ", "))")
                    return
                }
            }
            coverage.merge(twin.coverage) { $0 + $1 }
        }
        print("steps: \(coverage.sorted { $0.key < $1.key })")
        if rounds >= 100 { check(coverage, rounds: rounds) }
    }

    private func check(_ coverage: [String: Int], rounds: Int) {
        for kind in FlatTwin.changes + FlatTwin.questions {
            #expect(coverage[kind, default: 0] > rounds, "\(kind)")
        }
        #expect(coverage["window", default: 0] > rounds * 3)
        #expect(coverage["pending on two levels", default: 0] > rounds * 3)
        #expect(coverage["answered", default: 0] > rounds * 3)
    }
}
