import RecordStackModel
import TestSupport
import Testing

/// Failing and full disks, at every call that a store makes.
@Suite("Disk faults at every call") struct DiskFaultTests {
    private struct Case {
        let work: FaultedWork
        let fault: Fault

        /// True if every run includes the case.
        var isUsual: Bool {
            switch work {
            case .save: true
            case .firstSave, .largeSave: fault.call == .lastWrite
            case .durableSave: fault.call == .lastWrite || fault.call == .sync
            case .checkpoint: fault.call == .write || fault.call == .sync
            case .closing: fault.call == .sync
            default: false
            }
        }
    }

    private func allCases() throws -> [Case] {
        try FaultedWork.allCases.flatMap { work in
            let calls = try FaultTrial.calls(of: work)
            return DiskCall.allCases.flatMap { call in
                (0..<calls[call, default: 0]).flatMap { Fault.all(call, number: $0 + 1) }
            }.map { Case(work: work, fault: $0) }
        }
    }

    /// Runs 300 of the cases: those of an ordinary save, and a random choice of the rest. With
    /// RECORDSTACK_FULL, runs all of them.
    @Test func `a save is whole or absent if any one of its disk calls fails`() throws {
        var random = Seeded.fromEnvironment()
        print("disk faults: RECORDSTACK_SEED=\(random.seed)")
        let all = try allCases()
        let others = all.filter { !$0.isUsual }.shuffled(using: &random)
        let cases = (all.filter(\.isUsual) + others).prefix(Seeded.rounds(300, full: .max))
        var errors: [String: Int] = [:]
        for each in cases {
            do {
                switch try outcome(of: each) {
                case .notMet: errors["not met", default: 0] += 1
                case .met(let error): errors[error?.code.description ?? "none", default: 0] += 1
                }
            } catch {
                Issue.record(error, "\(each.work), \(each.fault)")
            }
        }
        print("disk faults: \(cases.count) of \(all.count): \(errors)")
        // The test would prove nothing if no call noticed the faults.
        #expect(errors.keys.contains("io") && errors.keys.contains("full"))
        #expect(errors.keys.contains("outcomeUnknown"))
        // A checkpoint fails after the save has returned, so no call throws its error.
        #expect(errors["none", default: 0] < cases.count * 4 / 5)
        #expect(errors["not met", default: 0] <= cases.count / 20)
    }

    /// Runs a case, up to three times until its fault occurs.
    ///
    /// The number of reads in a checkpoint depends on when other connections read last. A call that
    /// was counted may not occur in the trial.
    private func outcome(of each: Case) throws -> FaultTrial.Outcome {
        for _ in 0..<3 {
            let outcome = try FaultTrial(each.work).run(each.fault)
            if case .met = outcome { return outcome }
        }
        return .notMet
    }
}
