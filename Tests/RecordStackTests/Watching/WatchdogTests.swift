import Dispatch
import RecordStack
import RecordStackModel
import RecordStackTesting
import Synchronization
import TestSupport
import Testing

/// Calls that wait for a long time.
///
/// What they wait for ends when the warning has come, so a missing warning makes the test hang.
@Suite("Warnings about long waits") struct WatchdogTests {
    private func stack(
        _ log: WarningLog, limit: Double = 0.02, at location: TestStack.Location = .temporaryFile,
        sink: (@Sendable (SQLDebugEvent) -> Void)? = nil
    ) throws -> ContextStack {
        var options = log.options()
        options.watching.waitLimit = limit
        if let sink {
            options.sqlDebugLevel = .statements
            options.sqlDebugSink = sink
        }
        return try TestStack(entities: [Person.self], at: location, options: options).stack
    }

    /// Starts a body on a queue with the given name.
    private func begin(_ name: String, _ body: @escaping @Sendable () -> Void) {
        DispatchQueue(label: name).async(execute: body)
    }

    @Test func `a warning about a long wait reports a plausible time`() throws {
        let log = WarningLog()
        // A timer that fires all the time finds waits that have just begun.
        let stack = try stack(log, limit: 0.000_01)
        let room = stack.newPrivateQueueContext(name: "room")
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<5_000 { try? room.performAndWait { _ in } }
        }
        let messages = log.messages(.longWait)
        #expect(!messages.contains { $0.contains("000000") || $0.contains("1844") })
    }

    @Test func `a long performAndWait warns once and names both queues`() throws {
        let log = WarningLog()
        let stack = try stack(log)
        let background = stack.newPrivateQueueContext(name: "background")
        let (isBusy, isOver, isDone) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        begin("first") {
            try? background.performAndWait { _ in
                isBusy.signal()
                isOver.wait()
            }
            isDone.signal()
        }
        isBusy.wait()
        begin("second") {
            try? background.performAndWait { _ in }
            isDone.signal()
        }
        log.waitForNext()
        // The second wait is reported while the first goes on, and later than the first would be
        // reported again.
        begin("third") {
            try? background.performAndWait { _ in }
            isDone.signal()
        }
        log.waitForNext()
        isOver.signal()
        for _ in 0..<3 { isDone.wait() }
        let messages = log.messages(.longWait)
        #expect(messages.count == 2)
        #expect(log.warnings.count == 2)
        let first = try #require(messages.first)
        #expect(first.hasPrefix("the queue “second” has waited "))
        #expect(first.contains(" in performAndWait for “background”. In “background”, the queue “"))
        #expect(first.contains(" has been running a block for "))
        #expect(messages.last?.hasPrefix("the queue “third” has waited ") == true)
    }

    @Test func `a long wait for a save warns and names the save being written`() throws {
        let log = WarningLog()
        let gate = WriteGate()
        let stack = try stack(log, sink: { gate.pass($0) })
        let isDone = DispatchSemaphore(value: 0)
        gate.close()
        for name in ["list", "form"] {
            begin(name) {
                let context = stack.newContext(name: name)
                _ = try? Person.create(in: context, email: name)
                _ = try? context.saveAndWait()
                isDone.signal()
            }
            if name == "list" { gate.waitUntilReached() }
        }
        // Both saves wait. The first waits for its own writing.
        log.waitForNext()
        log.waitForNext()
        gate.open()
        isDone.wait()
        isDone.wait()
        let messages = log.messages(.longWait)
        #expect(messages.count == 2)
        let writing = "The root's writer has been writing a save of “list → root” for "
        #expect(
            messages.contains {
                $0.hasPrefix("the queue “list”") && $0.contains("a save of “list → root”")
                    && $0.contains(writing)
            })
        let form = messages.first { $0.hasPrefix("the queue “form” has waited ") }
        #expect(form?.contains(writing) == true)
    }

    @Test func `a long wait for a block warns and names what the block waits for`() throws {
        let log = WarningLog()
        let gate = WriteGate()
        let stack = try stack(log, sink: { gate.pass($0) })
        let isDone = DispatchSemaphore(value: 0)
        gate.close()
        for name in ["first", "second"] {
            begin(name) {
                try? stack.saveWithBlockAndWait { _ = try Person.create(in: $0, email: name) }
                isDone.signal()
            }
            if name == "first" { gate.waitUntilReached() }
        }
        log.waitForNext()
        log.waitForNext()
        gate.open()
        isDone.wait()
        isDone.wait()
        let second = log.messages(.longWait).first { $0.hasPrefix("the queue “second”") }
        #expect(
            second?.contains(" in saveWithBlockAndWait for “save queue”. In “save queue”, ") == true
        )
        #expect(
            second?.contains(
                "That block waits in a save of “save block → root” for the root's writer.") == true)
    }

    @Test func `a long close warns and names the completions that still run`() throws {
        let log = WarningLog()
        let stack = try stack(log)
        let (isBusy, isOver, isDone) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        stack.saveWithBlock { _ in
        } completion: { _ in
            isBusy.signal()
            isOver.wait()
        }
        isBusy.wait()
        begin("closing") {
            try? stack.close()
            isDone.signal()
        }
        log.waitForNext()
        isOver.signal()
        isDone.wait()
        let messages = log.messages(.longWait)
        #expect(messages.count == 1)
        #expect(
            messages.first?.hasPrefix("the queue “closing” has waited ") == true
                && messages.first?.hasSuffix("in close() for completions of saves.") == true)
    }

    @Test func `short waits do not warn, and disabled warnings stay silent`() throws {
        let log = WarningLog()
        let patient = try stack(log, limit: 1_000_000)
        for number in 0..<50 {
            try patient.saveWithBlockAndWait { _ = try Person.create(in: $0, email: "\(number)") }
        }
        #expect(log.warnings.isEmpty)
        var options = log.options()
        options.watching.warnings = false
        options.watching.waitLimit = 0
        let silent = try TestStack(entities: [Person.self], at: .memory, options: options).stack
        for number in 0..<50 {
            try silent.saveWithBlockAndWait { _ = try Person.create(in: $0, email: "\(number)") }
        }
        #expect(log.warnings.isEmpty)
    }

    @Test(arguments: [-1, .infinity, .nan])
    func `an invalid wait limit throws misuse`(limit: Double) {
        var options = StoreOptions()
        options.watching.waitLimit = limit
        let error = #expect(throws: RecordStackError.self) {
            try ContextStack(entities: [Person.self], at: .inMemory, options: options)
        }
        #expect(error?.code == .misuse)
    }
}

/// A gate that holds the writer at an INSERT of objects.
final class WriteGate: Sendable {
    private let isClosed = Atomic(false)
    private let isReached = DispatchSemaphore(value: 0)
    private let isOpen = DispatchSemaphore(value: 0)

    func close() { isClosed.store(true, ordering: .sequentiallyConsistent) }

    func pass(_ event: SQLDebugEvent) {
        guard event.text.hasPrefix("INSERT"), event.text.contains("Person"),
            isClosed.exchange(false, ordering: .sequentiallyConsistent)
        else { return }
        isReached.signal()
        isOpen.wait()
    }

    func waitUntilReached() { isReached.wait() }

    func open() { isOpen.signal() }
}
