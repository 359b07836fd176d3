import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

@Entity final class LastingEntry: ManagedObject {
    @Attribute(.unique) var number: Int
}

@Entity final class VolatileEntry: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute var amount: Int = 0
}

/// The in-memory store beside a file, which must contain the same saves as the file.
@Suite("Outcomes of saves in two stores") struct TwoStoreOutcomeTests {
    private struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fault: Fault
        let code: RecordStackError.Code
        let isThere: Bool
    }

    private static let cases = [
        Case(
            testDescription: "unknown and lost", fault: Fault(call: .lastWrite, number: 1),
            code: .outcomeUnknown, isThere: false),
        Case(
            testDescription: "unknown and written", fault: Fault(call: .committed, number: 1),
            code: .outcomeUnknown, isThere: true),
        Case(
            testDescription: "full",
            fault: Fault(call: .lastWrite, number: 1, reason: .full, lasts: true),
            code: .full, isThere: false),
    ]

    private func numbers(_ stack: ContextStack) throws -> [[Int]] {
        let context = stack.newContext()
        return [
            try LastingEntry.values(of: \.number, in: context),
            try VolatileEntry.values(of: \.number, in: context),
        ]
    }

    @Test(arguments: cases)
    private func `in-memory entities get a save only after the file is known to have it`(
        row: Case
    ) async throws {
        let disk = FaultyDisk(syncs: false)
        let folder = try TemporaryFolder("two-stores")
        var options = StoreOptions()
        options.vfs = disk.name
        options.watching.warnsAtExit = false
        let stack = try ContextStack(
            for: LastingEntry.self, inMemory: VolatileEntry.self,
            at: .file(folder.file("entries.sqlite")), options: options)
        let context = stack.newContext()
        try LastingEntry.create(in: context, number: 1)
        try VolatileEntry.create(in: context, number: 1)
        try await context.save()
        try LastingEntry.create(in: context, number: 2)
        let entry = try VolatileEntry.create(in: context, number: 2)
        disk.arm(row.fault)
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        disk.mend()
        #expect(error?.code == row.code)
        // Nothing has checked yet whether the file has the save.
        #expect(try VolatileEntry.count(in: stack.newContext()) == 1)
        entry.amount = 7
        let outcome = try await context.save()
        #expect(outcome != .noChanges)
        #expect(try numbers(stack) == [[1, 2], [1, 2]])
        #expect(try VolatileEntry.findFirst(by: \.number, 2, in: stack.newContext())?.amount == 7)
        #expect(!context.hasChanges)
        #expect(try await stack.integrityCheck().isEmpty)
        try stack.close()
    }
}
