import RecordStack
import TestSupport
import Testing

/// A save that is held at each of its awaits, one after the other, while its context is used.
@MainActor @Suite("Saves held at each await") struct SaveSuspensionTests {
    @Test(arguments: HeldSave.Start.allCases)
    func `no edit is lost and nothing is written twice`(start: HeldSave.Start) async throws {
        var counts: [Int] = []
        for action in HeldAction.allCases {
            var statement = 0
            while try await Self.faults(start, action, at: statement) { statement += 1 }
            counts.append(statement)
        }
        print("\(start): held at \(counts) statements")
        // It begins, inserts, updates and commits.
        #expect(counts.allSatisfy { $0 >= 4 })
    }

    /// - Returns: whether the save has so many statements.
    private static func faults(
        _ start: HeldSave.Start, _ action: HeldAction, at statement: Int
    ) async throws -> Bool {
        let held = try await HeldSave(start)
        var second: Task<HeldSave.Outcomes, Never>?
        let outcomes = try await held.hold(at: statement) { opener in
            second = try action.perform(on: held, opener)
            // The second save comes to where it waits.
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
    func `a save that is not heard of yet loses no edit`(start: HeldSave.Start) async throws {
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
