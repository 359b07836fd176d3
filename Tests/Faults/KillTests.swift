import FoundationEssentials
import TestSupport
import Testing

/// Programs that are killed while they save.
@Suite("Killed programs") struct KillTests {
    /// Kills 100 programs, or as many as RECORDSTACK_ROUNDS says.
    @Test func `a save that has returned is complete in the file after a kill`() throws {
        var random = Seeded.fromEnvironment()
        print("kills: RECORDSTACK_SEED=\(random.seed)")
        var statistics = KillStatistics()
        let kills = Seeded.rounds(100, full: 1_000)
        var ledger = try KilledLedger()
        for round in 1...kills {
            let moment = KillMoment.random(&random)
            let result = try ledger.run(moment, seed: random.next())
            let wasWhole = try ledger.check()
            statistics.add(result, wasWhole: wasWhole)
            // Each ledger is used for ten kills.
            if round.isMultiple(of: 10) { ledger = try KilledLedger() }
        }
        print("kills: \(statistics)")
        statistics.expectToBeMeaningful(kills)
    }
}

struct KillStatistics: CustomStringConvertible {
    private var kills = 0
    private var saves = 0
    private var killsAfterSaves = 0
    private var killsWithLog = 0
    private var wholeWithoutReturn = 0

    mutating func add(_ result: KillResult, wasWhole: Bool) {
        kills += 1
        saves += result.acknowledged
        if result.acknowledged > 0 { killsAfterSaves += 1 }
        if result.logBytes > 0 { killsWithLog += 1 }
        if wasWhole { wholeWithoutReturn += 1 }
    }

    /// Fails if too few kills interrupt work, because such a run would prove nothing.
    func expectToBeMeaningful(_ kills: Int) {
        #expect(self.kills == kills)
        // Under a sanitizer, a program does less before it is killed.
        let isSlow = ProcessInfo.processInfo.environment["RECORDSTACK_SANITIZER"] != nil
        #expect(killsAfterSaves > kills / (isSlow ? 10 : 3))
        #expect(killsWithLog > kills / (isSlow ? 4 : 2))
    }

    var description: String {
        "\(kills), \(killsWithLog) of them with a log to recover, \(killsAfterSaves) after saves had "
            + "returned (\(saves) in all); \(wholeWithoutReturn) saves were whole that had not returned"
    }
}
