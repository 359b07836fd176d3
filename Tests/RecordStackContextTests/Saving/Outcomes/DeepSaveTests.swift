import RecordStack
import RecordStackModel
import TestSupport
import Testing

/// Saves through three levels when one of the levels, or the disk, has a problem.
@MainActor @Suite("Failing saves in a chain of three contexts") struct DeepSaveTests {
    @Test(arguments: StackArchitecture.allCases, DeepTrial.Way.allCases)
    func `a failed save leaves a chain of three contexts and the file unchanged`(
        architecture: StackArchitecture, way: DeepTrial.Way
    ) async throws {
        for level in DeepTrial.levels {
            for flaw in [Flaw.invalid, .taken] {
                let trial = try DeepTrial(architecture, way, flaw: flaw, of: level)
                let before = trial.changes
                let note: Comment = "level \(level), \(flaw)"
                let code = try await trial.save()
                #expect(code == (flaw == .invalid ? .validation : .constraint), note)
                #expect(trial.changes == before, note)
                #expect(try trial.outside.parcels() == DeepTrial.seed.lines, note)
                try await trial.checkMended(note)
            }
        }
    }

    @Test(arguments: StackArchitecture.allCases, DeepTrial.Way.allCases)
    func `a save on a failing disk keeps the edits of a chain of three contexts`(
        architecture: StackArchitecture, way: DeepTrial.Way
    ) async throws {
        let full = Fault(call: .lastWrite, number: 1, reason: .full, lasts: true)
        let (lost, written) = (
            Fault(call: .lastWrite, number: 1), Fault(call: .committed, number: 1)
        )
        for (fault, code, rows) in [
            (full, RecordStackError.Code.full, DeepTrial.seed),
            (lost, .outcomeUnknown, DeepTrial.seed), (written, .outcomeUnknown, DeepTrial.all),
        ] {
            let trial = try DeepTrial(architecture, way)
            let before = trial.changes
            #expect(try await trial.save(whileFailing: fault) == code, "\(fault)")
            #expect(trial.changes == before, "\(fault)")
            #expect(try trial.outside.parcels() == rows.lines, "\(fault)")
            try await trial.checkMended("\(fault)")
        }
    }
}
