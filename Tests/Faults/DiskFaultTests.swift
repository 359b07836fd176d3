import RecordStackModel
import TestSupport
import Testing

/// Disks that fail and disks that are full, at every call that a store makes.
@Suite struct DiskFaultTests {
    private struct Case {
        let work: FaultedWork
        let fault: Fault

        /// Whether it is in every run.
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

    /// 300 of them, those of an ordinary save and others at random; all with RECORDSTACK_FULL.
    @Test func `no save is lost, half there or twice there, whichever call of the disk fails`()
        throws
    {
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
        // Faults that nobody notices would prove nothing.
        #expect(errors.keys.contains("io") && errors.keys.contains("full"))
        #expect(errors.keys.contains("outcomeUnknown"))
        // A checkpoint's come when the save has returned, and are nobody's.
        #expect(errors["none", default: 0] < cases.count * 4 / 5)
        #expect(errors["not met", default: 0] <= cases.count / 20)
    }

    /// How often a checkpoint reads depends on when other connections have read last; what was there
    /// when the calls were counted may be missing in the trial.
    private func outcome(of each: Case) throws -> FaultTrial.Outcome {
        for _ in 0..<3 {
            let outcome = try FaultTrial(each.work).run(each.fault)
            if case .met = outcome { return outcome }
        }
        return .notMet
    }
}
