import RecordStack
import RecordStackModel
import SaveLoopLedger
import Synchronization
import TestSupport
import Testing

/// The errors of a disk that fails.
@Suite("Errors of a failing disk") struct DiskErrorTests {
    private func error(
        _ fault: Fault, on ledger: FaultedLedger, _ body: () throws -> Void
    ) throws -> RecordStackError {
        ledger.disk.arm(fault)
        defer { ledger.disk.mend() }
        return try #require(throws: RecordStackError.self) { try body() }
    }

    /// A small save is written with one call, a large save with several.
    @Test(arguments: [(DiskCall.lastWrite, 4), (.write, 400), (.lastWrite, 400)])
    func `a save that threw the error full is still absent after a crash`(
        call: DiskCall, entries: Int
    ) throws {
        let (ledger, context) = try UnknownOutcome.makeLedger(entries: entries)
        for part in Fault.Part.allCases where part != .whole {
            let fault = Fault(call: call, number: 1, reason: .full, part: part)
            let error = try error(fault, on: ledger) { try context.saveAndWait() }
            #expect(error.code == .full && error.message.contains("try again"))
            #expect(try ledger.savesAfterKill() == [1, 2])
        }
        try context.saveAndWait()
        #expect(try ledger.saves() == [1, 2, 3])
    }

    @Test func `opening a store throws full if the disk has no room for the WAL index`() throws {
        let ledger = try FaultedLedger()
        let fault = Fault(call: .mapIndex, number: 1, reason: .full)
        let error = try error(fault, on: ledger) { try ledger.open() }
        #expect(error.code == .full && error.message.contains(ledger.path))
        #expect(error.message.contains("No space left on device"))
        try ledger.save(1)
    }

    @Test func `an I/O error's message contains the text of the system's error`() throws {
        let (ledger, context) = try UnknownOutcome.makeLedger(isAssigned: false)
        let lock = Fault(call: .lockIndex, number: 2)
        let failure = try error(lock, on: ledger) { try context.saveAndWait() }
        #expect(failure.code == .io && failure.message.contains("Input/output error"))
        let write = Fault(call: .lastWrite, number: 1)
        let unknown = try error(write, on: ledger) { try context.saveAndWait() }
        #expect(unknown.code == .outcomeUnknown && unknown.message.contains("Input/output error"))
    }

    @Test func `a find on a failing disk throws, and succeeds once the disk works`() throws {
        let (ledger, context) = try UnknownOutcome.makeLedger()
        let reader = try ledger.openAnother().newContext()
        var fault = Fault(call: .read, number: 1)
        fault.lasts = true
        let error = try error(fault, on: ledger) { _ = try Entry.find(in: reader) }
        #expect([.io, .cannotOpen].contains(error.code), "\(error)")
        #expect(try Entry.find(in: reader).count == 8)
        #expect(context.hasChanges)
    }

    private final class Told: Sendable {
        private let heard = Mutex<[String]>([])
        func add(_ event: SQLDebugEvent) {
            if event.kind == .logGrowth { heard.withLock { $0.append(event.text) } }
        }
        var texts: [String] { heard.withLock { $0 } }
    }

    @Test func `a failed checkpoint is reported with the system's reason`() throws {
        let told = Told()
        let ledger = try FaultedLedger { options in
            options.checkpointPages = 4
            options.sqlDebugLevel = .statements
            options.sqlDebugSink = { told.add($0) }
        }
        try ledger.open()
        ledger.disk.arm(Fault(call: .sync, number: 1, lasts: true))
        try ledger.save(1)
        try ledger.stack.coordinator.waitForCheckpoint()
        #expect(told.texts.count == 1)
        #expect(told.texts.first?.contains("Input/output error") == true)
        #expect(try ledger.saves() == [1])
        try ledger.close()
        #expect(told.texts.count == 2)
        #expect(told.texts.last?.contains("stays beside the store") == true)
        ledger.disk.mend()
        #expect(try ledger.saves() == [1])
        try ledger.save(2)
    }
}
