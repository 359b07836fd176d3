import RecordStack
import TestSupport
import Testing

/// Saves that are held at each of their awaits in turn, while their context is used.
@MainActor @Suite("Saves held at each await") struct SaveSuspensionTests {
    @Test(arguments: HeldSave.Start.allCases)
    func `no edit is lost or saved twice if a context is used during its save`(
        start: HeldSave.Start
    ) async throws {
        var counts: [Int] = []
        for action in HeldAction.allCases {
            var statement = 0
            while try await Self.faults(start, action, at: statement) { statement += 1 }
            counts.append(statement)
        }
        print("\(start): held at \(counts) statements")
        // A save begins, inserts, updates and commits.
        #expect(counts.allSatisfy { $0 >= 4 })
    }

    /// - Returns: true if the save has that many statements.
    private static func faults(
        _ start: HeldSave.Start, _ action: HeldAction, at statement: Int
    ) async throws -> Bool {
        let held = try await HeldSave(start)
        var second: Task<HeldSave.Outcomes, Never>?
        let outcomes = try await held.hold(at: statement) { opener in
            second = try action.perform(on: held, opener)
            // Lets the second save reach the point where it waits.
            for _ in 0..<3 { await Task.yield() }
        }
        defer { try? held.close() }
        guard var outcomes else { return false }
        if let second { outcomes += await second.value }
        let faults = try await action.check(outcomes, of: held)
        #expect(faults.isEmpty, "\(start), \(action) at statement \(statement): \(faults)")
        return true
    }

    @Test(arguments: HeldSave.Start.allCases)
    func `using a context between COMMIT and merge of its save loses no edit`(
        start: HeldSave.Start
    ) async throws {
        for action in HeldAction.allCases {
            let held = try await HeldSave(start)
            defer { try? held.close() }
            var second: Task<HeldSave.Outcomes, Never>?
            var outcomes = try await held.holdUnheard {
                second = try action.perform(on: held, nil)
            }
            if let second { outcomes += await second.value }
            let faults = try await action.check(outcomes, of: held)
            #expect(faults.isEmpty, "\(start), \(action): \(faults)")
        }
    }
}
